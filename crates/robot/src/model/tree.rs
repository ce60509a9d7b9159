//! Making a robot of links and joints.

use super::{Joint, JointKind, Limits, Link, Mimic, Robot, RobotError, ValueOf};
use freiraum_geometry::math::unit;

impl Robot {
    /// Links and joints in any order, `parent` and `child` of the joints being numbers in `links`, and [`Mimic::joint`] one in `joints`.
    ///
    /// Links are put so that parents come before children, otherwise in the order given, and joints in the order of the links that they carry; numbers in them are
    /// adapted. Axes are made unit vectors. A joint that follows one that follows a third follows that one.
    pub fn new(name: impl Into<String>, links: Vec<Link>, joints: Vec<Joint>) -> Result<Robot, RobotError> {
        check_names(&links, &joints)?;
        let carrier = carriers(&links, &joints)?;
        let order = ordered(&links, &joints, &carrier)?;
        let mut new_link = vec![0; links.len()];
        for (new, old) in order.iter().enumerate() {
            new_link[*old] = new;
        }
        let joint_order: Vec<usize> = order.iter().filter_map(|link| carrier[*link]).collect();
        let mut new_joint = vec![0; joints.len()];
        for (new, old) in joint_order.iter().enumerate() {
            new_joint[*old] = new;
        }
        let mut sorted = Vec::with_capacity(joints.len());
        for old in &joint_order {
            let mut joint = joints[*old].clone();
            (joint.parent, joint.child) = (new_link[joint.parent], new_link[joint.child]);
            if let Some(mimic) = &mut joint.mimic {
                let nothing = || RobotError::NothingToFollow {
                    joint: joints[*old].name.clone(),
                    other: format!("joint number {}", mimic.joint),
                };
                mimic.joint = *new_joint.get(mimic.joint).ok_or_else(nothing)?;
            }
            sorted.push(checked(joint)?);
        }
        let mut freedoms = Vec::new();
        let mut values = vec![ValueOf { freedom: None, factor: 0.0, offset: 0.0 }; sorted.len()];
        for (joint, value) in values.iter_mut().enumerate() {
            if sorted[joint].kind != JointKind::Fixed && sorted[joint].mimic.is_none() {
                *value = ValueOf { freedom: Some(freedoms.len()), factor: 1.0, offset: 0.0 };
                freedoms.push(joint);
            }
        }
        for joint in 0..sorted.len() {
            if sorted[joint].kind != JointKind::Fixed && sorted[joint].mimic.is_some() {
                values[joint] = followed(&sorted, &values, joint)?;
            }
        }
        let mut slots: Vec<Option<Link>> = links.into_iter().map(Some).collect();
        let links: Vec<Link> = order.iter().filter_map(|old| slots[*old].take()).collect();
        let mut carrier = vec![None; links.len()];
        for (number, joint) in sorted.iter().enumerate() {
            carrier[joint.child] = Some(number);
        }
        let accelerations = [None; 2];
        Ok(Robot { name: name.into(), links, joints: sorted, carrier, freedoms, values, accelerations })
    }
}

fn check_names(links: &[Link], joints: &[Joint]) -> Result<(), RobotError> {
    if links.is_empty() {
        return Err(RobotError::NoLinks);
    }
    let twice = |names: Vec<&String>| {
        let mut names = names;
        names.sort_unstable();
        names.windows(2).find(|two| two[0] == two[1]).map(|two| two[0].clone())
    };
    if let Some(name) = twice(links.iter().map(|link| &link.name).collect()) {
        return Err(RobotError::SameLink(name));
    }
    match twice(joints.iter().map(|joint| &joint.name).collect()) {
        Some(name) => Err(RobotError::SameJoint(name)),
        None => Ok(()),
    }
}

/// The joint that carries each link.
fn carriers(links: &[Link], joints: &[Joint]) -> Result<Vec<Option<usize>>, RobotError> {
    let mut carrier: Vec<Option<usize>> = vec![None; links.len()];
    for (number, joint) in joints.iter().enumerate() {
        if let Some(link) = [joint.parent, joint.child].into_iter().find(|link| *link >= links.len()) {
            return Err(RobotError::NoSuchLink { joint: joint.name.clone(), link });
        }
        if let Some(first) = carrier[joint.child].replace(number) {
            return Err(RobotError::TwoParents {
                link: links[joint.child].name.clone(),
                first: joints[first].name.clone(),
                second: joint.name.clone(),
            });
        }
    }
    Ok(carrier)
}

/// The links, parents before children: depth first, children in the order of the joints.
fn ordered(links: &[Link], joints: &[Joint], carrier: &[Option<usize>]) -> Result<Vec<usize>, RobotError> {
    let mut roots = (0..links.len()).filter(|link| carrier[*link].is_none());
    let Some(root) = roots.next() else { return Err(RobotError::Circle(links[0].name.clone())) };
    if let Some(other) = roots.next() {
        return Err(RobotError::TwoRoots(links[root].name.clone(), links[other].name.clone()));
    }
    let mut children = vec![Vec::new(); links.len()];
    for joint in joints.iter().rev() {
        children[joint.parent].push(joint.child);
    }
    let (mut order, mut open) = (Vec::with_capacity(links.len()), vec![root]);
    while let Some(link) = open.pop() {
        order.push(link);
        open.extend(&children[link]);
    }
    if order.len() < links.len() {
        let lost = (0..links.len()).find(|link| !order.contains(link)).unwrap_or(root);
        return Err(RobotError::Circle(links[lost].name.clone()));
    }
    Ok(order)
}

/// The joint with a unit axis and limits that make sense.
fn checked(mut joint: Joint) -> Result<Joint, RobotError> {
    match joint.kind {
        JointKind::Fixed => {
            joint.mimic = None;
            joint.limits = Limits { lower: 0.0, upper: 0.0 };
            return Ok(joint);
        }
        JointKind::Continuous => joint.limits = Limits::NONE,
        JointKind::Revolute | JointKind::Prismatic => {}
    }
    joint.axis = unit(joint.axis).ok_or_else(|| RobotError::NoAxis(joint.name.clone()))?;
    let Limits { lower, upper } = joint.limits;
    if !(lower <= upper) {
        return Err(RobotError::NoRange { joint: joint.name, lower, upper });
    }
    Ok(joint)
}

/// Where the value of a joint comes from that follows another one, perhaps over several.
fn followed(joints: &[Joint], values: &[ValueOf], joint: usize) -> Result<ValueOf, RobotError> {
    let (mut factor, mut offset, mut at) = (1.0, 0.0, joint);
    for _ in 0..joints.len() {
        let Some(Mimic { joint: next, factor: by, offset: shift }) = joints[at].mimic else { break };
        (factor, offset, at) = (factor * by, factor * shift + offset, next);
    }
    match values[at].freedom.filter(|_| joints[at].mimic.is_none()) {
        Some(freedom) => Ok(ValueOf { freedom: Some(freedom), factor, offset }),
        None => Err(RobotError::NothingToFollow {
            joint: joints[joint].name.clone(),
            other: format!("'{}'", joints[at].name),
        }),
    }
}
