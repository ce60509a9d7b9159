//! Topology, report and repair of meshes against brute force and known solids.

mod repair;
mod report;
mod solids;
mod topology;
