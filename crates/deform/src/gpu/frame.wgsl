// What all programs share. Word layout of `Frame` and of the head of `state`: `frame.rs`.

struct Frame {
    // Columns and rows of the image.
    size: vec2<u32>,
    // Columns and rows of its tiles.
    tiles: vec2<u32>,
    faces: u32,
    // Snapped units in a pixel: 2^shift.
    shift: u32,
    // What `entries` and `fragments` have room for.
    entry_room: u32,
    fragment_room: u32,
    // How many faults there is room for.
    fault_room: u32,
    // First words in `state` of: tiles (a count and a cursor each), bits of involved faces.
    tiles_at: u32,
    involved_at: u32,
    // 1 if all fragments are kept, 0 if only those of deep tiles.
    keeps_image: u32,
    // Always 0, which no compiler knows: see `rounded`.
    zero: u32,
    // What the counter must reach.
    level: i32,
    // The first face of the second body; as many as there are faces if there is none.
    second: u32,
    // 1 if deep tiles without room wait for the next round.
    is_in_rounds: u32,
}

const TILE = 8;
const PIXELS = 64u;

// Words of the head of `state`.
const ENTRIES_LOW = 0u;
const ENTRIES_HIGH = 1u;
const LARGE_FACES = 2u;
const DEEP_TILES = 3u;
const FRAGMENTS_LOW = 4u;
const FRAGMENTS_HIGH = 5u;
const LAYERS_MAX = 6u;
const LARGEST = 7u;
const FAULTS = 8u;
// 1 once an overlap was found that rounding cannot have made.
const CONFIRMED = 9u;
// Deep tiles that had room.
const DONE_TILES = 10u;
// Then sums, in 64 parts so that workgroups do not wait for each other: pairs of words.
const SUMS = 64u;
const SUM_WORDS = 8u;
const SUM_LENGTH = 0u;
const SUM_FIRST = 2u;
const SUM_SECOND = 4u;
const SUM_INTERVALS = 6u;

@group(0) @binding(0) var<uniform> frame: Frame;
// Three words each: u, v, bits of w.
@group(0) @binding(1) var<storage, read> vertices: array<u32>;
@group(0) @binding(2) var<storage, read> faces: array<u32>;
@group(0) @binding(3) var<storage, read_write> state: array<atomic<u32>>;
// Faces tile by tile.
@group(0) @binding(4) var<storage, read_write> entries: array<u32>;
// Room for all faces: the large ones. Then room for all tiles: the deep ones. Then faults, four words each: pixel, kind, key, face.
@group(0) @binding(5) var<storage, read_write> lists: array<u32>;
// Key and face, tile by tile, pixel by pixel.
@group(0) @binding(6) var<storage, read_write> fragments: array<vec2<u32>>;
// Length of the intervals of each pixel. Then, with `keeps_image`, its first fragment and how many it has.
@group(0) @binding(7) var<storage, read_write> pixels: array<u32>;

// Adds to a pair of words; the value of the low one before.
fn add_wide(at: u32, amount: u32) -> u32 {
    let before = atomicAdd(&state[at], amount);
    if (before + amount < before) {
        atomicAdd(&state[at + 1u], 1u);
    }
    return before;
}

// Adds to one of the sums.
fn add_sum(part: u32, which: u32, amount: u32) {
    if (amount != 0u) {
        let before = add_wide(SUMS + (part % 64u) * SUM_WORDS + which, amount);
    }
}

// Adds 2^32 times an amount to one of the sums.
fn add_sum_high(part: u32, which: u32, amount: u32) {
    if (amount != 0u) {
        atomicAdd(&state[SUMS + (part % 64u) * SUM_WORDS + which + 1u], amount);
    }
}

fn has_room_for_entries() -> bool {
    return atomicLoad(&state[ENTRIES_HIGH]) == 0u && atomicLoad(&state[ENTRIES_LOW]) <= frame.entry_room;
}
