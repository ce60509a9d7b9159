//! Path planning problems with known answers: bodies that have to get out of something, or into it.

use crate::bumpy::Surface;
use crate::models;
use glam::{DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;

/// A rigid body that has to get from one placement to another past obstacles.
pub struct Puzzle {
    /// How it is called.
    pub name: &'static str,
    /// What moves.
    pub moving: Surface,
    /// What stands, in the frame of the world.
    pub obstacles: Vec<Surface>,
    /// Where it starts.
    pub start: (DQuat, DVec3),
    /// Where it has to go.
    pub goal: (DQuat, DVec3),
}

/// The box between two corners.
pub fn block(min: [f64; 3], max: [f64; 3]) -> Surface {
    let (min, max) = (DVec3::from_array(min), DVec3::from_array(max));
    let (vertices, faces) = models::cells([1, 1, 1], max - min, |_| true);
    (vertices.into_iter().map(|p| p + min).collect(), faces)
}

/// The union of cells of one metre whose (x, z) are in the picture (rows from above), `depth` metres long in y, centred.
pub fn profile(picture: &[&str], depth: f64) -> Surface {
    let (wide, high) = (picture[0].len() as i32, picture.len() as i32);
    let is_filled = |[x, _, z]: [i32; 3]| picture[(high - 1 - z) as usize].as_bytes()[x as usize] == b'#';
    let (vertices, faces) = models::cells([wide, 1, high], DVec3::new(1.0, depth, 1.0), is_filled);
    let middle = 0.5 * DVec3::new(f64::from(wide), depth, f64::from(high));
    (vertices.into_iter().map(|p| p - middle).collect(), faces)
}

fn still(x: f64, y: f64, z: f64) -> (DQuat, DVec3) {
    (DQuat::IDENTITY, DVec3::new(x, y, z))
}

/// A cube in a room whose only way out is a tube that reaches into the room; the goal is behind the room.
pub fn bug_trap() -> Puzzle {
    let mut obstacles = vec![
        block([-2.0, -2.0, -2.2], [2.0, 2.0, -2.0]),
        block([-2.0, -2.0, 2.0], [2.0, 2.0, 2.2]),
        block([-2.0, -2.2, -2.2], [2.0, -2.0, 2.2]),
        block([-2.0, 2.0, -2.2], [2.0, 2.2, 2.2]),
        block([-2.2, -2.2, -2.2], [-2.0, 2.2, 2.2]),
    ];
    // The front wall with a hole of 0.8 m by 0.8 m, and the tube.
    let hole = 0.4;
    for (from, to) in [(2.0, 2.2), (0.8, 2.0)] {
        let out = if from == 2.0 { 2.2 } else { hole + 0.2 };
        obstacles.push(block([from, -out, hole], [to, out, out]));
        obstacles.push(block([from, -out, -out], [to, out, -hole]));
        obstacles.push(block([from, hole, -hole], [to, out, hole]));
        obstacles.push(block([from, -out, -hole], [to, -hole, hole]));
    }
    let moving = block([-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]);
    Puzzle { name: "bug trap", moving, obstacles, start: still(-1.0, 0.5, -1.0), goal: still(-4.0, 0.0, 0.0) }
}

/// A cube between two walls with windows, one high, one low.
pub fn two_walls() -> Puzzle {
    let mut obstacles = Vec::new();
    for (x, z) in [(-1.0, 1.0), (1.0, -1.0)] {
        let (near, far) = (x - 0.1, x + 0.1);
        obstacles.push(block([near, -3.0, z + 0.5], [far, 3.0, 3.0]));
        obstacles.push(block([near, -3.0, -3.0], [far, 3.0, z - 0.5]));
        obstacles.push(block([near, -3.0, z - 0.5], [far, -0.5, z + 0.5]));
        obstacles.push(block([near, 0.5, z - 0.5], [far, 3.0, z + 0.5]));
    }
    // Floor, roof and sides, so that nothing leads around.
    obstacles.push(block([-3.0, -3.0, -3.2], [3.0, 3.0, -3.0]));
    obstacles.push(block([-3.0, -3.0, 3.0], [3.0, 3.0, 3.2]));
    obstacles.push(block([-3.0, -3.2, -3.2], [3.0, -3.0, 3.2]));
    obstacles.push(block([-3.0, 3.0, -3.2], [3.0, 3.2, 3.2]));
    let moving = block([-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]);
    Puzzle { name: "two walls", moving, obstacles, start: still(-2.0, 0.0, 0.0), goal: still(2.0, 0.0, 0.0) }
}

/// A flat bar that has to turn to get into a slot of a plate.
pub fn peg_in_hole() -> Puzzle {
    let obstacles = vec![
        block([-3.0, -3.0, -0.5], [3.0, -0.45, 0.0]),
        block([-3.0, 0.45, -0.5], [3.0, 3.0, 0.0]),
        block([-3.0, -0.45, -0.5], [-0.25, 0.45, 0.0]),
        block([0.25, -0.45, -0.5], [3.0, 0.45, 0.0]),
        block([-3.0, -3.0, -2.5], [3.0, 3.0, -2.0]),
    ];
    // 0.4 by 0.8 by 2, long in z.
    let moving = block([-0.2, -0.4, -1.0], [0.2, 0.4, 1.0]);
    // It lies across the slot, on its side.
    let start =
        (DQuat::from_rotation_z(FRAC_PI_2) * DQuat::from_rotation_y(FRAC_PI_2), DVec3::new(0.5, 0.3, 1.2));
    Puzzle { name: "peg in hole", moving, obstacles, start, goal: still(0.0, 0.0, -0.8) }
}

/// A ring that hangs on a hook with an upturned tip.
pub fn ring_on_hook() -> Puzzle {
    let thick = 0.2;
    let obstacles = vec![
        // A wall, an arm out of it, and the tip.
        block([-0.5, -2.0, -2.0], [0.0, 2.0, 2.0]),
        block([0.0, -thick, -thick], [2.0, thick, thick]),
        block([2.0 - 2.0 * thick, -thick, thick], [2.0, thick, 1.4]),
    ];
    let moving = models::torus(0.75, 0.12, 20, 8);
    // It hangs about the arm, its axis along x.
    let start = (DQuat::from_rotation_y(FRAC_PI_2), DVec3::new(0.8, 0.0, -0.3));
    Puzzle {
        name: "ring on hook",
        moving,
        obstacles,
        start,
        goal: (DQuat::IDENTITY, DVec3::new(3.5, 0.0, 0.0)),
    }
}

/// Two pieces that hook into each other, face on face, and can only slide apart along y.
pub fn interlocked() -> Puzzle {
    let fixed = profile(&["##..", "#...", "#.#.", "###."], 1.0);
    let moving = profile(&["....", ".###", ".#.#", "...#"], 1.0);
    Puzzle {
        name: "interlocked",
        moving,
        obstacles: vec![fixed],
        start: still(0.0, 0.0, 0.0),
        goal: still(0.0, 0.0, 5.0),
    }
}

/// A cube in a closed box, with a goal outside: there is no way.
pub fn prison() -> Puzzle {
    let obstacles = vec![
        block([-1.0, -1.0, -1.2], [1.0, 1.0, -1.0]),
        block([-1.0, -1.0, 1.0], [1.0, 1.0, 1.2]),
        block([-1.0, -1.2, -1.2], [1.0, -1.0, 1.2]),
        block([-1.0, 1.0, -1.2], [1.0, 1.2, 1.2]),
        block([-1.2, -1.2, -1.2], [-1.0, 1.2, 1.2]),
        block([1.0, -1.2, -1.2], [1.2, 1.2, 1.2]),
    ];
    let moving = block([-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]);
    Puzzle { name: "prison", moving, obstacles, start: still(0.0, 0.0, 0.0), goal: still(3.0, 0.0, 0.0) }
}
