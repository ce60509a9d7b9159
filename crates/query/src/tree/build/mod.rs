//! Which objects share a node. One file per builder; a new one is a new file here and nothing else.

mod bottom_up;
mod insertion;
mod median;
mod surface_area;
#[cfg(test)]
mod tests;

pub use bottom_up::BottomUp;
pub use insertion::Insertion;
pub use median::Median;
pub use surface_area::SurfaceArea;

use super::Form;
use freiraum_geometry::Aabb;
use std::fmt::Debug;

/// Decides the form of a tree from the boxes of the objects, whatever the volumes in the nodes will be.
///
/// **Guarantee.** The form is whole ([`Form::is_whole`]) and depends on the boxes and their order alone.
/// **Degenerate input.** No boxes, one box, identical boxes and boxes without size are ordinary cases.
pub trait Builder: Debug {
    /// The form of a tree over objects with these (finite) boxes.
    fn form(&self, boxes: &[Aabb]) -> Form;
}

/// Splits until every part has one object: `split` orders the objects of a part and returns where to cut, in 1..len.
///
/// Depth and memory do not depend on how even the cuts are.
fn top_down(objects: usize, mut split: impl FnMut(&mut [u32]) -> usize) -> Form {
    enum Task {
        Build(usize, usize),
        Join,
    }
    let mut form = Form::new(objects);
    let mut order: Vec<u32> = (0..objects as u32).collect();
    let mut tasks = vec![Task::Build(0, objects)];
    let mut done: Vec<u32> = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Build(start, end) if end - start > 1 => {
                let cut = start + split(&mut order[start..end]).clamp(1, end - start - 1);
                tasks.extend([Task::Join, Task::Build(cut, end), Task::Build(start, cut)]);
            }
            Task::Build(start, end) => done.extend_from_slice(&order[start..end]),
            Task::Join => {
                let from = done.len() - 2;
                let joined = form.join(&done[from..]);
                done.truncate(from);
                done.push(joined);
            }
        }
    }
    form
}
