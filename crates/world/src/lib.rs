//! What happens? Bodies under gravity, in contact, in time.
//!
//! - [`rigid`]: the engine of rigid bodies: free flight, contacts with friction and impacts, joints, continuous contact
//! - [`sensor`]: laser scanners, cameras, ultrasonic and other sensors of placed bodies; odometry; noise
//!
//! **Units.** Metres, radians, kilograms, seconds. **Frames.** Right-handed, z up; velocities and forces are in the frame of
//! the world unless said otherwise.

pub mod rigid;
pub mod sensor;
