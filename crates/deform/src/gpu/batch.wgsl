// A workgroup has a tile, a thread a pixel. Faces of the tile come in batches, one for each thread; those that cover a sample of the tile
// are kept with the samples they cover as bits, row by row.

struct Covering {
    // Rows 0 to 3, rows 4 to 7.
    bits: vec2<u32>,
    face: u32,
    is_front: u32,
    plane: Plane,
}

var<workgroup> batch: array<Covering, 64>;
var<workgroup> batch_size: atomic<u32>;
var<workgroup> shared_word: u32;

// What all threads of the workgroup are told by the first.
fn told(value: u32, lane: u32) -> u32 {
    if (lane == 0u) {
        shared_word = value;
    }
    return workgroupUniformLoad(&shared_word);
}

fn covered(triangle: Triangle, tile: vec2<i32>) -> vec2<u32> {
    let origin = tile * TILE - triangle.low;
    let first = max(-origin, vec2<i32>(0));
    let last = min(triangle.high - triangle.low - origin, vec2<i32>(TILE - 1));
    let columns = (0xffu << u32(first.x)) & (0xffu >> u32(TILE - 1 - last.x));
    var bits = vec2<u32>(0u);
    for (var row = first.y; row <= last.y; row++) {
        var e = triangle.a * origin.x + triangle.b * (origin.y + row) + triangle.c;
        var outside = 0u;
        for (var column = 0u; column < 8u; column++) {
            outside |= (u32(e.x | e.y | e.z) >> 31u) << column;
            e += triangle.a;
        }
        let inside = (~outside & columns) << (u32(row & 3) * 8u);
        if (row < 4) {
            bits.x |= inside;
        } else {
            bits.y |= inside;
        }
    }
    return bits;
}

// Loads entries from..from + 64 of a tile that ends at `end`; how many cover anything.
fn load_batch(tile: vec2<i32>, at: u32, end: u32, lane: u32) -> u32 {
    workgroupBarrier();
    if (lane == 0u) {
        atomicStore(&batch_size, 0u);
    }
    workgroupBarrier();
    if (at + lane < end) {
        let face = entries[at + lane];
        let triangle = triangle_of(face);
        let bits = covered(triangle, tile);
        if ((bits.x | bits.y) != 0u) {
            batch[atomicAdd(&batch_size, 1u)] =
                Covering(bits, face, select(0u, 1u, triangle.is_front), plane_of(triangle, tile));
        }
    }
    workgroupBarrier();
    return told(atomicLoad(&batch_size), lane);
}

fn covers(k: u32, lane: u32) -> bool {
    return ((batch[k].bits[lane >> 5u] >> (lane & 31u)) & 1u) == 1u;
}

// Key and face where a pixel is covered.
fn fragment_of(k: u32, lane: u32) -> vec2<u32> {
    let place = vec2<i32>(i32(lane & 7u), i32(lane >> 3u));
    return vec2<u32>(key_of(batch[k].plane, place, batch[k].is_front == 1u), batch[k].face);
}
