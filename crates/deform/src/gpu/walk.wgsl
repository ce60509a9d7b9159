// What a ray passes: +1 where it enters, -1 where it leaves.

struct Walk {
    counter: i32,
    // Where the counter got above one.
    start: u32,
    length: u32,
    largest: i32,
    least: i32,
}

fn walk_start() -> Walk {
    return Walk();
}

fn walk_on(walk: ptr<function, Walk>, fragment: vec2<u32>) {
    let depth = fragment.x >> 1u;
    let is_front = (fragment.x & 1u) == 1u;
    let before = (*walk).counter;
    let after = before + select(-1, 1, is_front);
    if (before == 1 && after == 2) {
        (*walk).start = depth;
    } else if (before == 2 && after == 1) {
        (*walk).length += depth - (*walk).start;
    }
    if (max(before, after) >= 2) {
        let at = frame.involved_at + fragment.y / 32u;
        let bit = 1u << (fragment.y % 32u);
        if ((atomicLoad(&state[at]) & bit) == 0u) {
            atomicOr(&state[at], bit);
        }
    }
    (*walk).counter = after;
    (*walk).largest = max((*walk).largest, after);
    (*walk).least = min((*walk).least, after);
}

fn walk_end(walk: ptr<function, Walk>, number: u32, tile: vec2<i32>, lane: u32) {
    atomicMax(&state[6], number);
}
