// `volume.rs`: how much the lengths of neighbours differ. Nothing is outside of the image.

// Rows of a thread.
const ROWS = 8;

var<workgroup> low: array<atomic<u32>, 2>;
var<workgroup> high: array<atomic<u32>, 2>;

fn length_at(place: vec2<i32>) -> i32 {
    if (any(place < vec2<i32>(0)) || any(place >= vec2<i32>(frame.size))) {
        return 0;
    }
    return i32(pixels[u32(place.y) * frame.size.x + u32(place.x)]);
}

@compute @workgroup_size(64)
fn differences(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if (lane < 2u) {
        atomicStore(&low[lane], 0u);
        atomicStore(&high[lane], 0u);
    }
    workgroupBarrier();
    let column = i32(id.x) - 1;
    let row = i32(id.y) * ROWS - 1;
    var first = 0u;
    var second = 0u;
    if (column <= i32(frame.size.x)) {
        var above = length_at(vec2<i32>(column, row - 1));
        var here = length_at(vec2<i32>(column, row));
        for (var k = 0; k < ROWS; k++) {
            // Rows below the image are all zero.
            let left = length_at(vec2<i32>(column - 1, row + k));
            let right = length_at(vec2<i32>(column + 1, row + k));
            let below = length_at(vec2<i32>(column, row + k + 1));
            first += u32(abs(here - left)) + u32(abs(here - above));
            second += u32(abs(2 * here - left - right)) + u32(abs(2 * here - above - below));
            above = here;
            here = below;
        }
    }
    // Eight rows of 2^25 at most, 64 times: more than a word.
    if ((first | second) != 0u) {
        atomicAdd(&low[0], first & 0xffffu);
        atomicAdd(&high[0], first >> 16u);
        atomicAdd(&low[1], second & 0xffffu);
        atomicAdd(&high[1], second >> 16u);
    }
    workgroupBarrier();
    if (lane < 2u) {
        let part = group.x + 7u * group.y;
        let which = SUM_FIRST + lane * (SUM_SECOND - SUM_FIRST);
        let high_part = atomicLoad(&high[lane]);
        add_sum(part, which, atomicLoad(&low[lane]));
        add_sum(part, which, high_part << 16u);
        add_sum_high(part, which, high_part >> 16u);
    }
}
