//! The tests of this crate, in one program.

mod hull_oracle;
mod mesh;
mod path;
mod props_aabb;
mod props_enclose_box;
mod props_enclose_cylinder;
mod props_enclose_inscribed;
mod props_enclose_sphere;
mod props_enclose_swept;
mod props_hull;
mod props_mass;
mod props_pose;
mod props_roots;
mod props_shape_support;
mod props_shape_tessellation;
mod shape_oracle;
