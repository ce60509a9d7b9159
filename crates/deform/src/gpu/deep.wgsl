// Tiles with a pixel of more than `SLOTS` fragments, and all tiles if the image is kept: fragments are counted, given room in global
// memory, written and sorted there.

// A layer of this thread's pixel.
fn layer(list: u32, number: u32) -> vec2<u32> {
    return fragments[list + number];
}

var<workgroup> starts: array<vec2<u32>, 64>;
var<workgroup> tile_total: atomic<u32>;
var<workgroup> tile_start: u32;
var<workgroup> has_long: atomic<u32>;

// Fragments that fit into `slots` at once.
const SORTED_AT_ONCE = 1024u;

// Puts the smaller of slots a < b first.
fn order_slots(a: u32, b: u32, number: u32) {
    if (b < number) {
        let first = slots[a];
        let second = slots[b];
        if (comes_before(second, first)) {
            slots[a] = second;
            slots[b] = first;
        }
    }
}

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
// runs to be merged, `step` the distance of what is compared; the first step of a merge compares from both ends.
fn pair_of(i: u32, size: u32, step: u32) -> vec2<u32> {
    let low = (i / step) * 2u * step + i % step;
    let high = select(low + step, low ^ (2u * step - 1u), step == size);
    return vec2<u32>(low, high);
}

fn sort_in_slots(start: u32, number: u32, lane: u32) {
    for (var i = lane; i < number; i += PIXELS) {
        slots[i] = fragments[start + i];
    }
    workgroupBarrier();
    for (var size = 1u; size < number; size *= 2u) {
        for (var step = size; step > 0u; step /= 2u) {
            // Half of the next power of two.
            for (var i = lane; i < (number + 2u * step - 1u) / (2u * step) * step; i += PIXELS) {
                let pair = pair_of(i, size, step);
                order_slots(pair.x, pair.y, number);
            }
            workgroupBarrier();
        }
    }
    for (var i = lane; i < number; i += PIXELS) {
        fragments[start + i] = slots[i];
    }
    workgroupBarrier();
}

fn sort_in_place(start: u32, number: u32, lane: u32) {
    for (var size = 1u; size < number; size *= 2u) {
        for (var step = size; step > 0u; step /= 2u) {
            for (var i = lane; i < (number + 2u * step - 1u) / (2u * step) * step; i += PIXELS) {
                let pair = pair_of(i, size, step);
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

fn do_deep_tile(index: u32, lane: u32) {
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
        return;
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
    if (number <= SLOTS) {
        sort_alone(start, number, lane);
    }
    starts[lane] = vec2<u32>(start, number);
    // What one thread wrote is sorted by all, and read by one again.
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) {
        atomicStore(&has_long, 0u);
    }
    workgroupBarrier();
    if (number > SLOTS) {
        atomicStore(&has_long, 1u);
    }
    workgroupBarrier();
    let pixels_to_sort = told(atomicLoad(&has_long), lane) * PIXELS;
    for (var pixel = 0u; pixel < pixels_to_sort; pixel++) {
        let list = told_pair(pixel);
        if (list.y > SORTED_AT_ONCE) {
            sort_in_place(list.x, list.y, lane);
        } else if (list.y > SLOTS) {
            sort_in_slots(list.x, list.y, lane);
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
}

fn told_pair(pixel: u32) -> vec2<u32> {
    return workgroupUniformLoad(&starts[pixel]);
}

@compute @workgroup_size(64)
fn deep(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let number = told(atomicLoad(&state[DEEP_TILES]), lane);
    for (var k = group.x; k < number; k += groups.x) {
        do_deep_tile(lists[frame.faces + k], lane);
    }
}
