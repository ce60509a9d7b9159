// A workgroup has a tile, a thread a pixel. Faces that cover a sample of the tile are kept in the memory of the workgroup, for `ROOM` of them
// there is room: each is set up by one thread, and seen by all.

var<workgroup> planes: array<vec4<u32>, PLANE_ROOM>;
// Samples that are covered, as bits: rows 0 to 3 of four faces each, then rows 4 to 7.
var<workgroup> samples: array<vec4<u32>, SAMPLE_ROOM>;
// Base of the plane; face and, as the lowest bit, whether it is a front.
var<workgroup> heads: array<vec2<u32>, ROOM>;
var<workgroup> batch_size: atomic<u32>;
var<workgroup> shared_word: u32;

// What all threads of the workgroup are told by the first.
fn told(value: u32, lane: u32) -> u32 {
    if (lane == 0u) {
        shared_word = value;
    }
    return workgroupUniformLoad(&shared_word);
}

// 1 if an edge has the sample outside.
fn is_outside(e: vec3<i32>) -> u32 {
    return u32(e.x | e.y | e.z) >> 31u;
}

fn covered(triangle: Triangle, tile: vec2<i32>) -> vec2<u32> {
    let origin = tile * TILE - triangle.low;
    let first = max(-origin, vec2<i32>(0));
    let last = min(triangle.high - triangle.low - origin, vec2<i32>(TILE - 1));
    let columns = (0xffu << u32(first.x)) & (0xffu >> u32(TILE - 1 - last.x));
    var bits = vec2<u32>(0u);
    for (var row = first.y; row <= last.y; row++) {
        // From the last column to the first; written out, as a loop costs more than what is in it.
        let e7 = triangle.a * (origin.x + 7) + triangle.b * (origin.y + row) + triangle.c;
        let e6 = e7 - triangle.a;
        let e5 = e6 - triangle.a;
        let e4 = e5 - triangle.a;
        let e3 = e4 - triangle.a;
        let e2 = e3 - triangle.a;
        let e1 = e2 - triangle.a;
        let e0 = e1 - triangle.a;
        var outside = is_outside(e7);
        outside = (outside << 1u) | is_outside(e6);
        outside = (outside << 1u) | is_outside(e5);
        outside = (outside << 1u) | is_outside(e4);
        outside = (outside << 1u) | is_outside(e3);
        outside = (outside << 1u) | is_outside(e2);
        outside = (outside << 1u) | is_outside(e1);
        outside = (outside << 1u) | is_outside(e0);
        let inside = (~outside & columns) << (u32(row & 3) * 8u);
        if (row < 4) {
            bits.x |= inside;
        } else {
            bits.y |= inside;
        }
    }
    return bits;
}

// Keeps a face if it covers anything and there is room.
fn load_face(face: u32, tile: vec2<i32>) {
    let triangle = triangle_of(face);
    let bits = covered(triangle, tile);
    if ((bits.x | bits.y) == 0u) {
        return;
    }
    let k = atomicAdd(&batch_size, 1u);
    if (k < ROOM) {
        let plane = plane_of(triangle, tile);
        samples[k >> 2u][k & 3u] = bits.x;
        samples[(ROOM + k) >> 2u][k & 3u] = bits.y;
        heads[k] = vec2<u32>(bitcast<u32>(plane.base), 2u * face + select(0u, 1u, triangle.is_front));
        planes[k] = bitcast<vec4<u32>>(vec4<i32>(plane.a, plane.b));
        planes[ROOM + k] = vec4<u32>(bitcast<vec2<u32>>(plane.c), bitcast<vec2<u32>>(plane.rest));
        planes[2u * ROOM + k] = bitcast<vec4<u32>>(vec4<f32>(plane.gain, plane.range));
    }
}

fn clear_batch(lane: u32) {
    workgroupBarrier();
    if (lane == 0u) {
        atomicStore(&batch_size, 0u);
    }
    workgroupBarrier();
}

fn covers(k: u32, lane: u32) -> bool {
    return ((samples[((lane >> 5u) * ROOM + k) >> 2u][k & 3u] >> (lane & 31u)) & 1u) == 1u;
}

fn key_at(k: u32, lane: u32) -> u32 {
    let v0 = bitcast<vec4<i32>>(planes[k]);
    let v1 = planes[ROOM + k];
    let v2 = bitcast<vec4<f32>>(planes[2u * ROOM + k]);
    let head = heads[k];
    let plane = Plane(
        v0.xy, v0.zw, bitcast<vec2<i32>>(v1.xy), bitcast<vec2<f32>>(v1.zw), v2.xy, v2.zw, bitcast<f32>(head.x));
    return key_of(plane, vec2<i32>(i32(lane & 7u), i32(lane >> 3u)), (head.y & 1u) == 1u);
}
