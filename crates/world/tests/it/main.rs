//! The tests of this crate, in one program.

mod changes;
mod cities;
mod common;
mod control;
mod control_programs;
mod driving;
mod energy;
mod faults;
mod flight;
mod gripper;
mod heaps;
mod humanoid;
mod impacts;
mod jam;
mod joints;
mod models;
mod rest;
mod rolling;
mod scenes;
mod sensing;
mod sensor;
mod simulation;
mod squeeze;
mod surfaces;
mod tunnelling;
mod vehicles;
