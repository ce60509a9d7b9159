// `occupancy.rs`, to the bit: a ray counts one more where it enters, one less where it leaves. `layer(list, number)` and `mark_layer` are of the program.

const NOISE = NOISE_STEPSu;
const OPEN = 1u;
const INVERTED = 2u;

struct Ray {
    // Steps in intervals, and how many intervals.
    length: u32,
    intervals: u32,
    largest: i32,
    // 0 or a kind of fault, and the layer at which it was seen.
    fault: u32,
    fault_at: u32,
    // Layers that bound or lie in an interval, as bits: of the first 32.
    involved: u32,
}

fn mark(face: u32) {
    let at = frame.involved_at + face / 32u;
    let bit = 1u << (face % 32u);
    // Most are marked already: reading costs less.
    if ((atomicLoad(&state[at]) & bit) == 0u) {
        atomicOr(&state[at], bit);
    }
}

// An interval has ended for good: start, end, first and last layer. With `marks`, it is confirmed and its faces are marked.
fn keep(ray: ptr<function, Ray>, interval: vec4<u32>, list: u32, marks: bool) {
    let length = interval.y - interval.x;
    if (length <= NOISE) {
        return;
    }
    (*ray).length += length;
    (*ray).intervals += 1u;
    if (interval.w < 32u) {
        (*ray).involved |= (2u << interval.w) - (1u << interval.z);
    }
    if (marks) {
        confirm(list, length, interval.z, interval.w);
        for (var i = interval.z; i <= interval.w; i++) {
            mark_layer(list, i);
        }
    }
}

fn body_of(face: u32) -> u32 {
    return select(0u, 1u, face >= frame.second);
}

// Follows the ray through one body.
fn walk(list: u32, number: u32, body: u32, marks: bool) -> Ray {
    var ray = Ray();
    var counter = 0;
    var before = 0u;
    var below = vec2<u32>(0u);
    var interval = vec4<u32>(0u);
    var is_pending = false;
    var last = 0u;
    for (var i = 0u; i < number; i++) {
        if (frame.second < frame.faces && body_of(layer(list, i).y) != body) {
            continue;
        }
        let key = layer(list, i).x;
        last = i;
        let depth = key >> 1u;
        if (counter > 0 && depth - before > NOISE) {
            ray.largest = max(ray.largest, counter);
        }
        before = depth;
        if ((key & 1u) == 1u) {
            counter += 1;
            if (counter == frame.level && !(is_pending && interval.y == depth)) {
                if (is_pending) {
                    keep(&ray, interval, list, marks);
                }
                interval = vec4<u32>(depth, depth, i, i);
                is_pending = false;
            }
            if (counter == 0 && depth - below.x > NOISE && ray.fault == 0u) {
                ray.fault = INVERTED;
                ray.fault_at = below.y;
            }
        } else {
            if (counter == frame.level) {
                interval.y = depth;
                interval.w = i;
                is_pending = true;
            }
            if (counter == 0) {
                below = vec2<u32>(depth, i);
            }
            counter -= 1;
        }
    }
    if (is_pending) {
        keep(&ray, interval, list, marks);
    }
    if (counter != 0) {
        ray.fault = OPEN;
        ray.fault_at = last;
    }
    if (ray.fault != 0u) {
        ray.length = 0u;
        ray.intervals = 0u;
    }
    if (ray.intervals > 0u) {
        ray.largest = max(ray.largest, frame.level);
    }
    return ray;
}

// The number of a thread's pixel, or that of all pixels if it is beside the image.
fn pixel_of(tile: vec2<i32>, lane: u32) -> u32 {
    let place = vec2<u32>(tile * TILE) + vec2<u32>(lane & 7u, lane >> 3u);
    return select(frame.size.x * frame.size.y, place.y * frame.size.x + place.x, all(place < frame.size));
}

fn set_length(tile: vec2<i32>, lane: u32, length: u32) {
    let pixel = pixel_of(tile, lane);
    if (pixel < frame.size.x * frame.size.y) {
        pixels[pixel] = length;
    }
}

var<workgroup> tile_length: atomic<u32>;
var<workgroup> tile_intervals: atomic<u32>;
var<workgroup> tile_layers: atomic<u32>;
var<workgroup> tile_largest: atomic<u32>;

fn tell_fault(ray: Ray, tile: vec2<i32>, list: u32, lane: u32) {
    if (ray.fault == 0u) {
        return;
    }
    let at = atomicAdd(&state[FAULTS], 1u);
    if (at < frame.fault_room) {
        let word = frame.faces + frame.tiles.x * frame.tiles.y + 4u * at;
        let fragment = layer(list, ray.fault_at);
        lists[word] = pixel_of(tile, lane);
        lists[word + 1u] = ray.fault;
        lists[word + 2u] = fragment.x;
        lists[word + 3u] = fragment.y;
    }
}

// Follows the ray of each thread's pixel, whose layers are in order, and adds what it has seen.
fn finish_pixel(tile: vec2<i32>, list: u32, number: u32, lane: u32) {
    if (lane == 0u) {
        atomicStore(&tile_length, 0u);
        atomicStore(&tile_intervals, 0u);
        atomicStore(&tile_layers, 0u);
        atomicStore(&tile_largest, 0u);
    }
    workgroupBarrier();
    var ray = walk(list, number, 0u, false);
    tell_fault(ray, tile, list, lane);
    if (frame.second < frame.faces) {
        let other = walk(list, number, 1u, false);
        tell_fault(other, tile, list, lane);
        let largest = max(ray.largest, other.largest);
        let is_shared = ray.intervals > 0u && other.intervals > 0u;
        ray = Ray();
        if (is_shared) {
            ray = shared_by_both(list, number);
        }
        ray.largest = largest;
    } else if (ray.intervals > 0u) {
        if (number <= 32u && atomicLoad(&state[CONFIRMED]) == 1u) {
            for (var bits = ray.involved; bits != 0u; bits &= bits - 1u) {
                mark_layer(list, firstTrailingBit(bits));
            }
        } else {
            let again = walk(list, number, 0u, true);
        }
    }
    if (ray.intervals > 0u) {
        atomicAdd(&tile_length, ray.length);
        atomicAdd(&tile_intervals, ray.intervals);
    }
    if (number > 0u) {
        atomicMax(&tile_layers, number);
        atomicMax(&tile_largest, u32(ray.largest));
    }
    set_length(tile, lane, ray.length);
    workgroupBarrier();
    if (lane == 0u) {
        let part = u32(tile.y) * frame.tiles.x + u32(tile.x);
        add_sum(part, SUM_LENGTH, atomicLoad(&tile_length));
        add_sum(part, SUM_INTERVALS, atomicLoad(&tile_intervals));
        raise(LAYERS_MAX, atomicLoad(&tile_layers));
        raise(LARGEST, atomicLoad(&tile_largest));
    }
}

fn raise(at: u32, value: u32) {
    if (atomicLoad(&state[at]) < value) {
        atomicMax(&state[at], value);
    }
}
