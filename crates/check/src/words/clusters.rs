//! Many findings of one kind that belong together: bodies that are all in each other, or many that have one body in common.

use crate::checker::Finding;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

/// So many findings, and fewer, are told one by one.
const FEW: usize = 4;

/// Findings that are told together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster {
    /// Their numbers, ascending.
    pub(super) members: Vec<usize>,
    pub(super) bond: Bond,
}

/// What findings have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bond {
    /// It is one alone.
    None,
    /// Every two of so many bodies.
    All { bodies: usize },
    /// They are all about this body.
    Body(usize),
}

/// The findings with these numbers, ascending, in groups, in the order of their first ones.
///
/// **Cost.** In proportion to their number.
pub(super) fn clusters(findings: &[Finding], numbers: &[usize]) -> Vec<Cluster> {
    let mut kinds: HashMap<Discriminant<_>, Vec<usize>> = HashMap::new();
    for &number in numbers {
        kinds.entry(discriminant(&findings[number].kind)).or_default().push(number);
    }
    let mut found = Vec::new();
    for members in kinds.into_values() {
        of_one_kind(findings, &members, &mut found);
    }
    found.sort_by_key(|cluster| cluster.members[0]);
    found
}

fn of_one_kind(findings: &[Finding], numbers: &[usize], found: &mut Vec<Cluster>) {
    if numbers.len() <= FEW {
        found.extend(numbers.iter().map(|number| alone(*number)));
        return;
    }
    let mut singles = Vec::new();
    for (bodies, members) in cliques(findings, numbers) {
        if members.len() > FEW {
            found.push(Cluster { members, bond: Bond::All { bodies } });
        } else {
            singles.extend(members);
        }
    }
    stars(findings, &singles, found);
}

fn alone(number: usize) -> Cluster {
    Cluster { members: vec![number], bond: Bond::None }
}

fn ordered([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

/// Bodies every two of which are in a finding, one after the other added where it fits; how many they are, and their findings.
fn cliques(findings: &[Finding], numbers: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let pairs: HashSet<[usize; 2]> = numbers.iter().map(|number| ordered(findings[*number].pair)).collect();
    let mut bodies: Vec<Vec<usize>> = Vec::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    // The first clique that a body came to.
    let mut clique_of: HashMap<usize, usize> = HashMap::new();
    for &number in numbers {
        let pair = ordered(findings[number].pair);
        let known = pair.map(|body| clique_of.get(&body).copied());
        let joined = match known {
            [Some(a), Some(b)] if a == b => Some(a),
            [Some(clique), None] | [None, Some(clique)] => {
                let new = if known[0].is_none() { pair[0] } else { pair[1] };
                let fits = bodies[clique].iter().all(|other| pairs.contains(&ordered([*other, new])));
                fits.then(|| {
                    bodies[clique].push(new);
                    clique_of.insert(new, clique);
                    clique
                })
            }
            _ => None,
        };
        match joined {
            Some(clique) => members[clique].push(number),
            None => {
                for body in pair {
                    clique_of.entry(body).or_insert(bodies.len());
                }
                bodies.push(pair.to_vec());
                members.push(vec![number]);
            }
        }
    }
    bodies.iter().map(Vec::len).zip(members).collect()
}

/// Findings that have a body in common, that of which there are the most; those of few are left alone.
fn stars(findings: &[Finding], numbers: &[usize], found: &mut Vec<Cluster>) {
    let mut degree: HashMap<usize, usize> = HashMap::new();
    for body in numbers.iter().flat_map(|number| findings[*number].pair) {
        *degree.entry(body).or_default() += 1;
    }
    let mut of_hub: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &number in numbers {
        let [a, b] = ordered(findings[number].pair);
        of_hub.entry(if degree[&b] > degree[&a] { b } else { a }).or_default().push(number);
    }
    for (hub, mut members) in of_hub {
        members.sort_unstable();
        if members.len() > FEW {
            found.push(Cluster { members, bond: Bond::Body(hub) });
        } else {
            found.extend(members.into_iter().map(alone));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::FindingKind;

    fn findings(pairs: &[[usize; 2]]) -> Vec<Finding> {
        let of = |pair: &[usize; 2]| Finding { kind: FindingKind::NoPath, pair: *pair, time: 0.0 };
        pairs.iter().map(of).collect()
    }

    fn bonds(pairs: &[[usize; 2]]) -> Vec<(Bond, usize)> {
        let numbers: Vec<usize> = (0..pairs.len()).collect();
        let found = clusters(&findings(pairs), &numbers);
        let mut all: Vec<usize> = found.iter().flat_map(|cluster| cluster.members.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, numbers, "every finding is in one group");
        found.iter().map(|cluster| (cluster.bond, cluster.members.len())).collect()
    }

    #[test]
    fn bodies_in_one_place_are_one_group() {
        let all: Vec<[usize; 2]> = (0..20).flat_map(|a| (a + 1..20).map(move |b| [a, b])).collect();
        assert_eq!(bonds(&all), [(Bond::All { bodies: 20 }, 190)]);
    }

    #[test]
    fn chains_and_a_few_are_told_one_by_one() {
        let chain: Vec<[usize; 2]> = (0..9).map(|a| [a, a + 1]).collect();
        assert_eq!(bonds(&chain), [(Bond::None, 1); 9]);
        assert_eq!(bonds(&[[0, 1], [0, 2], [1, 2]]), [(Bond::None, 1); 3]);
    }

    #[test]
    fn what_many_meet_is_told_once() {
        let mut star: Vec<[usize; 2]> = (0..9).map(|b| [b, 50]).collect();
        star.push([60, 61]);
        assert_eq!(bonds(&star), [(Bond::Body(50), 9), (Bond::None, 1)]);
    }
}
