// Tiles with a pixel of more than `SLOTS` fragments, and all tiles if the image is kept: fragments are counted, given room in global
// memory, written and sorted there. Where there is room for some tiles only, they are done in rounds.

const ROOM = 64u;
const PLANE_ROOM = 192u;
const SAMPLE_ROOM = 32u;

// A layer of this thread's pixel.
fn layer(list: u32, number: u32) -> vec2<u32> {
    return fragments[list + number];
}

fn mark_layer(list: u32, number: u32) {
    mark(fragments[list + number].y);
}

// Loads entries from `at` on, as many as there is room for, of a tile that ends at `end`; how many cover anything.
fn load_batch(tile: vec2<i32>, at: u32, end: u32, lane: u32) -> u32 {
    clear_batch(lane);
    if (at + lane < end) {
        load_face(entries[at + lane], tile);
    }
    workgroupBarrier();
    return told(atomicLoad(&batch_size), lane);
}

// Key and face where a pixel is covered.
fn fragment_of(k: u32, lane: u32) -> vec2<u32> {
    return vec2<u32>(key_at(k, lane), heads[k].y >> 1u);
}

var<workgroup> starts: array<vec2<u32>, 64>;
var<workgroup> tile_total: atomic<u32>;
var<workgroup> tile_start: u32;
var<workgroup> longest: atomic<u32>;

// Fragments that fit into `slots` at once.
const SORTED_BITS = 10u;
const SORTED_AT_ONCE = 1024u;
const NONE = vec2<u32>(0xffffffffu);
const NOWHERE = 0xffffffffu;

fn order_fragments(a: u32, b: u32, start: u32, number: u32) {
    if (b < number) {
        let first = fragments[start + a];
        let second = fragments[start + b];
        if (comes_before(second, first)) {
            fragments[start + a] = second;
            fragments[start + b] = first;
        }
    }
}

// Bitonic sort that always puts the smaller first, so that what is missing up to a power of two counts as larger than all: `size` is the length of the
// runs to be merged, 2^step the distance of what is compared; the first step of a merge compares from both ends.
fn pair_of(i: u32, size: u32, step: u32) -> vec2<u32> {
    let distance = 1u << step;
    let low = ((i >> step) << (step + 1u)) | (i & (distance - 1u));
    let high = select(low + distance, low ^ (2u * distance - 1u), distance == size);
    return vec2<u32>(low, high);
}

// Which slot is which fragment: lists of some pixels one after the other, each with room for 2^width.
fn fragment_at(slot: u32, pixel: u32, width: u32) -> u32 {
    let list = starts[pixel + (slot >> width)];
    let at = slot & ((1u << width) - 1u);
    return select(NOWHERE, list.x + at, at < list.y && list.y <= SORTED_AT_ONCE);
}

// Sorts the lists of as many pixels as fit at once.
fn sort_in_slots(pixel: u32, width: u32, lane: u32) {
    for (var i = lane; i < SORTED_AT_ONCE; i += PIXELS) {
        let at = fragment_at(i, pixel, width);
        slots[i] = NONE;
        if (at != NOWHERE) {
            slots[i] = fragments[at];
        }
    }
    workgroupBarrier();
    for (var merge = 0u; merge < width; merge++) {
        for (var back = 0u; back <= merge; back++) {
            for (var i = lane; i < SORTED_AT_ONCE / 2u; i += PIXELS) {
                let pair = pair_of(i, 1u << merge, merge - back);
                let first = slots[pair.x];
                let second = slots[pair.y];
                if (comes_before(second, first)) {
                    slots[pair.x] = second;
                    slots[pair.y] = first;
                }
            }
            workgroupBarrier();
        }
    }
    for (var i = lane; i < SORTED_AT_ONCE; i += PIXELS) {
        let at = fragment_at(i, pixel, width);
        if (at != NOWHERE) {
            fragments[at] = slots[i];
        }
    }
    workgroupBarrier();
}

fn sort_in_place(start: u32, number: u32, lane: u32) {
    for (var merge = 0u; (1u << merge) < number; merge++) {
        for (var back = 0u; back <= merge; back++) {
            let step = merge - back;
            // Half of what is there up to a multiple of what is compared.
            let half = (((number - 1u) >> (step + 1u)) + 1u) << step;
            for (var i = lane; i < half; i += PIXELS) {
                let pair = pair_of(i, 1u << merge, step);
                order_fragments(pair.x, pair.y, start, number);
            }
            storageBarrier();
        }
    }
}

// A list of one thread.
fn sort_alone(start: u32, number: u32, lane: u32) {
    for (var i = 0u; i < number; i++) {
        insert(i, fragments[start + i], lane);
    }
    for (var i = 0u; i < number; i++) {
        fragments[start + i] = slots[i * PIXELS + lane];
    }
}

// False if there was no room for it.
fn do_deep_tile(index: u32, lane: u32) -> bool {
    let tile = vec2<i32>(i32(index % frame.tiles.x), i32(index / frame.tiles.x));
    let word = frame.tiles_at + 2u * index;
    let end = told(atomicLoad(&state[word + 1u]), lane);
    let begin = end - told(atomicLoad(&state[word]), lane);
    var number = 0u;
    for (var batch_at = begin; batch_at < end; batch_at += PIXELS) {
        let size = load_batch(tile, batch_at, end, lane);
        for (var k = 0u; k < size; k++) {
            if (covers(k, lane)) {
                number += 1u;
            }
        }
    }
    if (lane == 0u) {
        atomicStore(&tile_total, 0u);
    }
    workgroupBarrier();
    let before = atomicAdd(&tile_total, number);
    workgroupBarrier();
    if (lane == 0u) {
        let total = atomicLoad(&tile_total);
        tile_start = add_wide(FRAGMENTS_LOW, total);
        let has_room =
            atomicLoad(&state[FRAGMENTS_HIGH]) == 0u && tile_start + total <= frame.fragment_room && tile_start + total >= total;
        shared_word = select(0u, 1u, has_room);
    }
    let start = workgroupUniformLoad(&tile_start) + before;
    if (workgroupUniformLoad(&shared_word) == 0u) {
        return false;
    }
    var at = start;
    for (var batch_at = begin; batch_at < end; batch_at += PIXELS) {
        let size = load_batch(tile, batch_at, end, lane);
        for (var k = 0u; k < size; k++) {
            if (covers(k, lane)) {
                fragments[at] = fragment_of(k, lane);
                at += 1u;
            }
        }
    }
    starts[lane] = vec2<u32>(start, number);
    if (lane == 0u) {
        atomicStore(&longest, 0u);
    }
    // What one thread wrote is sorted by all, and read by one again.
    storageBarrier();
    workgroupBarrier();
    atomicMax(&longest, number);
    workgroupBarrier();
    let most = told(atomicLoad(&longest), lane);
    if (most <= SLOTS) {
        sort_alone(start, number, lane);
    } else {
        let width = min(32u - countLeadingZeros(most - 1u), SORTED_BITS);
        for (var pixel = 0u; pixel < PIXELS; pixel += SORTED_AT_ONCE >> width) {
            sort_in_slots(pixel, width, lane);
        }
        if (most > SORTED_AT_ONCE) {
            for (var pixel = 0u; pixel < PIXELS; pixel++) {
                let list = workgroupUniformLoad(&starts[pixel]);
                if (list.y > SORTED_AT_ONCE) {
                    sort_in_place(list.x, list.y, lane);
                }
            }
        }
    }
    storageBarrier();
    finish_pixel(tile, start, number, lane);
    let pixel = pixel_of(tile, lane);
    if (frame.keeps_image == 1u && pixel < frame.size.x * frame.size.y) {
        let at = frame.size.x * frame.size.y + 2u * pixel;
        pixels[at] = start;
        pixels[at + 1u] = number;
    }
    return true;
}

// Instead of the number of a tile that is done.
const DONE = 0xffffffffu;

@compute @workgroup_size(64)
fn deep(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = told(atomicLoad(&state[DEEP_TILES]), lane);
    for (var k = group.x; k < number; k += groups.x) {
        let tile = told(lists[frame.faces + k], lane);
        // Once there is no room, asking for it would count beyond a word.
        let is_full = frame.is_in_rounds == 1u && told(atomicLoad(&state[FRAGMENTS_LOW]), lane) > frame.fragment_room;
        if (tile != DONE && !is_full) {
            if (do_deep_tile(tile, lane) && lane == 0u) {
                lists[frame.faces + k] = DONE;
                atomicAdd(&state[DONE_TILES], 1u);
            }
        }
    }
}
