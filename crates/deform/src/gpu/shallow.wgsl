// Tiles of no more than `ROOM` faces and `SLOTS` fragments in a pixel, which are all but few: nothing of them leaves the workgroup but what
// was found. A fragment is one word, its key and which of the tile's faces it is, and the fragments of a pixel are sorted in registers. Faces
// of a tile are in no order: where two fragments have the same key, the tile is done by `deep.wgsl`.

const ROOM = 128u;
const PLANE_ROOM = 384u;
const SAMPLE_ROOM = 64u;
const FACE_BITS = 7u;
const SLOTS = 24u;
const NONE = 0xffffffffu;

var<workgroup> is_deep: atomic<u32>;
// Faces that bound or lie in an interval.
var<workgroup> touched: array<atomic<u32>, ROOM>;

// Sorted fragments lie where planes were.
fn word_of(lane: u32, number: u32) -> u32 {
    return planes[number * 16u + (lane >> 2u)][lane & 3u];
}

// A layer of this thread's pixel.
fn layer(lane: u32, number: u32) -> vec2<u32> {
    let word = word_of(lane, number);
    return vec2<u32>(word >> FACE_BITS, heads[word & (ROOM - 1u)].y >> 1u);
}

fn mark_layer(lane: u32, number: u32) {
    atomicStore(&touched[word_of(lane, number) & (ROOM - 1u)], 1u);
}

fn send_deeper(tile: u32, lane: u32) {
    if (lane == 0u) {
        lists[frame.faces + atomicAdd(&state[DEEP_TILES], 1u)] = tile;
    }
}

// Whether fragments next to each other have the same key; `before` is the one before the first.
fn has_equal(words: vec4<u32>, before: u32) -> bool {
    let differences = words ^ vec4<u32>(before, words.xyz);
    return any((differences < vec4<u32>(ROOM)) & (words != vec4<u32>(NONE)));
}

// Which of 32 faces cover this thread's pixel.
fn covering(first: u32, size: u32, lane: u32) -> u32 {
    var bits = 0u;
    for (var k = first; k < min(first + 32u, size); k += 4u) {
        let four = (samples[((lane >> 5u) * ROOM + k) >> 2u] >> vec4<u32>(lane & 31u)) & vec4<u32>(1u);
        bits |= (four.x | (four.y << 1u) | (four.z << 2u) | (four.w << 3u)) << (k & 31u);
    }
    // The last four may be less.
    return select(bits & ((1u << (max(size, first) - first)) - 1u), bits, size >= first + 32u);
}

fn put_words(words: vec4<u32>, first: u32, number: u32, lane: u32) {
    if (first < number) {
        let at = first * 16u + (lane >> 2u);
        planes[at][lane & 3u] = words.x;
        planes[at + 16u][lane & 3u] = words.y;
        planes[at + 32u][lane & 3u] = words.z;
        planes[at + 48u][lane & 3u] = words.w;
    }
}

@compute @workgroup_size(64)
fn shallow(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = group.y * frame.tiles.x + group.x;
    let word = frame.tiles_at + 2u * index;
    let entry_count = told(select(0u, atomicLoad(&state[word]), has_room_for_entries()), lane);
    let tile = vec2<i32>(group.xy);
    if (entry_count == 0u) {
        set_length(tile, lane, 0u);
        return;
    }
    if (frame.keeps_image == 1u || entry_count > 2u * ROOM) {
        send_deeper(index, lane);
        return;
    }
    clear_batch(lane);
    let end = atomicLoad(&state[word + 1u]);
    for (var at = end - entry_count + lane; at < end; at += PIXELS) {
        load_face(entries[at], tile);
    }
    for (var k = lane; k < ROOM; k += PIXELS) {
        atomicStore(&touched[k], 0u);
    }
    if (lane == 0u) {
        atomicStore(&is_deep, 0u);
    }
    workgroupBarrier();
    let size = told(atomicLoad(&batch_size), lane);
    if (size > ROOM) {
        send_deeper(index, lane);
        return;
    }
    var mine = vec4<u32>(
        covering(0u, size, lane), covering(32u, size, lane), covering(64u, size, lane), covering(96u, size, lane));
    let ones = countOneBits(mine);
    let number = ones.x + ones.y + ones.z + ones.w;
    var s0 = vec4<u32>(NONE);
    var s1 = s0;
    var s2 = s0;
    var s3 = s0;
    var s4 = s0;
    var s5 = s0;
    var left = select(0u, number, number <= SLOTS);
    var first = 0u;
    while (left > 0u) {
        if (mine.x == 0u) {
            mine = vec4<u32>(mine.yzw, 0u);
            first += 32u;
        } else {
            let k = first + firstTrailingBit(mine.x);
            mine.x &= mine.x - 1u;
            left -= 1u;
            let x = vec4<u32>((key_at(k, lane) << FACE_BITS) | k);
            // In the middle of three: what is before, what is here, what is new.
            s5 = max(vec4<u32>(s4.w, s5.xyz), min(s5, x));
            s4 = max(vec4<u32>(s3.w, s4.xyz), min(s4, x));
            s3 = max(vec4<u32>(s2.w, s3.xyz), min(s3, x));
            s2 = max(vec4<u32>(s1.w, s2.xyz), min(s2, x));
            s1 = max(vec4<u32>(s0.w, s1.xyz), min(s1, x));
            s0 = max(vec4<u32>(0u, s0.xyz), min(s0, x));
        }
    }
    let is_equal = has_equal(s0, NONE) || has_equal(s1, s0.w) || has_equal(s2, s1.w) || has_equal(s3, s2.w)
        || has_equal(s4, s3.w) || has_equal(s5, s4.w);
    if (number > SLOTS || is_equal) {
        atomicStore(&is_deep, 1u);
    }
    workgroupBarrier();
    if (told(atomicLoad(&is_deep), lane) == 1u) {
        send_deeper(index, lane);
        return;
    }
    put_words(s0, 0u, number, lane);
    put_words(s1, 4u, number, lane);
    put_words(s2, 8u, number, lane);
    put_words(s3, 12u, number, lane);
    put_words(s4, 16u, number, lane);
    put_words(s5, 20u, number, lane);
    finish_pixel(tile, lane, number, lane);
    for (var k = lane; k < size; k += PIXELS) {
        if (atomicLoad(&touched[k]) == 1u) {
            mark(heads[k].y >> 1u);
        }
    }
}
