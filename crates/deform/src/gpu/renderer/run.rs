//! Runs the passes of an image, until there is room for all of it.

use super::{GpuLayerError, GpuRenderer};
use crate::gpu::buffers::Part;
use crate::gpu::found::{Found, Needed};
use crate::gpu::frame::{Asked, Frame, Room};
use crate::grid::Grid;
use freiraum_gpu::{GpuError, wgpu};
use std::ops::Range;

/// Workgroups for lists whose length only the processor knows.
const LIST_GROUPS: u32 = 2048;
/// Threads of a workgroup.
const GROUP: u32 = 64;
/// Rows of a thread in `sums.wgsl`.
const SUM_ROWS: u32 = 8;

/// The passes, in their order.
pub(super) const STAGES: [&str; 8] =
    ["count", "count large", "give room", "write", "write large", "shallow", "deep", "sums"];
/// The pass of deep tiles among them.
const DEEP: usize = 6;

impl GpuRenderer {
    /// Runs all passes: once usually, again if there was too little room for something.
    pub(super) fn run(
        &mut self,
        grid: &Grid,
        asked: Asked,
        keeps_image: bool,
        found: &mut Found,
    ) -> Result<(Frame, Needed), GpuLayerError> {
        let mut in_rounds = false;
        loop {
            let mut frame = Frame::new(grid, self.faces, asked, keeps_image, self.room);
            if in_rounds {
                frame = frame.in_rounds();
            }
            self.buffers.prepare(&self.gpu, &frame)?;
            let needed = if in_rounds {
                self.run_rounds(&frame, found)?
            } else {
                self.submit(&frame, 0..STAGES.len())?;
                self.answer(&frame, found)?
            };
            if needed.fits(&frame.room) {
                let words = 4 * needed.faults as u32;
                let faults = self.buffers.read(&self.gpu, Part::Lists, frame.faults_at(), words)?;
                found.read_faults(&faults);
                return Ok((frame, needed));
            }
            in_rounds |= !keeps_image && needed.fragments > self.most_fragments_here();
            let most = self.most_fragments_here();
            let fragments = if in_rounds { most } else { needed.fragments };
            self.room = more(self.room, &Needed { fragments, ..needed })?;
            if !keeps_image {
                self.room.fragments = self.room.fragments.min(most as u32);
            }
        }
    }

    /// So many as one buffer holds.
    fn most_fragments_here(&self) -> u64 {
        let limits = self.gpu.device().limits();
        let bytes = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        (bytes / 8).min(u64::from(self.most_fragments))
    }

    fn answer(&self, frame: &Frame, found: &mut Found) -> Result<Needed, GpuError> {
        self.buffers.answer(&self.gpu, frame, |words| {
            found.read(words);
            Needed::read(words)
        })
    }

    /// All passes, that of deep tiles again and again until all had room.
    fn run_rounds(&mut self, frame: &Frame, found: &mut Found) -> Result<Needed, GpuError> {
        self.submit(frame, 0..DEEP + 1)?;
        let mut needed = self.answer(frame, found)?;
        while needed.fragments > u64::from(frame.room.fragments) {
            self.submit(frame, DEEP..DEEP + 1)?;
            let next = self.answer(frame, found)?;
            if next.done == needed.done {
                // Not even one tile has room.
                let [needed, limit] = [next.fragments, u64::from(frame.room.fragments)].map(|n| 8 * n);
                return Err(GpuError::TooLarge { what: "fragments of a tile", needed, limit });
            }
            needed = next;
        }
        self.submit(frame, DEEP + 1..STAGES.len())?;
        self.answer(frame, found)
    }

    /// Hands over some of the passes; the first begins anew, that of deep tiles begins a round.
    fn submit(&mut self, frame: &Frame, stages: Range<usize>) -> Result<(), GpuError> {
        let mut commands =
            self.gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        match stages.start {
            0 => self.buffers.clear(frame, &mut commands)?,
            DEEP => self.buffers.clear_round(&mut commands)?,
            _ => {}
        }
        let bound = self.buffers.bind(&self.gpu, &self.programs)?;
        {
            let description = wgpu::ComputePassDescriptor { label: Some("layers"), timestamp_writes: None };
            let mut pass = commands.begin_compute_pass(&description);
            pass.set_bind_group(0, bound, &[]);
            if let Some(stamps) = &mut self.stamps {
                stamps.clear();
                stamps.mark(&mut pass);
            }
            let by_face = groups_for(frame.faces);
            let by_tile = groups_for(frame.tile_count());
            let large = [LIST_GROUPS.min(frame.faces).max(1), 1];
            let deep = [LIST_GROUPS.min(frame.tile_count()), 1];
            // The border belongs to it.
            let by_pixel = [(frame.size[0] + 2).div_ceil(GROUP), (frame.size[1] + 2).div_ceil(SUM_ROWS)];
            let programs = &self.programs;
            let passes: [(&wgpu::ComputePipeline, [u32; 2]); STAGES.len()] = [
                (&programs.count, by_face),
                (&programs.count_large, large),
                (&programs.give_room, by_tile),
                (&programs.write, by_face),
                (&programs.write_large, large),
                (&programs.shallow, frame.tiles()),
                (&programs.deep, deep),
                (&programs.differences, by_pixel),
            ];
            for (program, [x, y]) in passes.into_iter().take(stages.end).skip(stages.start) {
                pass.set_pipeline(program);
                pass.dispatch_workgroups(x, y, 1);
                if let Some(stamps) = &mut self.stamps {
                    stamps.mark(&mut pass);
                }
            }
        }
        if let Some(stamps) = &self.stamps {
            stamps.finish(&mut commands);
        }
        self.buffers.finish(frame, &mut commands)?;
        self.gpu.queue().submit([commands.finish()]);
        self.gpu.check()
    }
}

/// Columns and rows of workgroups for so many threads.
fn groups_for(threads: u32) -> [u32; 2] {
    let groups = threads.div_ceil(GROUP).max(1);
    let rows = groups.div_ceil(u32::from(u16::MAX));
    [groups.div_ceil(rows), rows]
}

/// Room for what was needed, and some more, as the next frame is a little different.
fn more(room: Room, needed: &Needed) -> Result<Room, GpuError> {
    let grown = |what, room: u32, needed: u64, bytes: u64| {
        if needed <= u64::from(room) {
            return Ok(room);
        }
        let limit = bytes * u64::from(u32::MAX);
        let needed = u32::try_from(needed).map_err(|_| GpuError::TooLarge {
            what,
            needed: bytes.saturating_mul(needed),
            limit,
        })?;
        Ok(needed.saturating_add(needed / 8))
    };
    Ok(Room {
        entries: grown("faces of tiles", room.entries, needed.entries, 4)?,
        fragments: grown("fragments", room.fragments, needed.fragments, 8)?,
        faults: grown("faults", room.faults, needed.faults, 16)?,
    })
}
