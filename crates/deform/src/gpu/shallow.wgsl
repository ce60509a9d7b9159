// Tiles whose pixels have no more than `SLOTS` fragments: nothing of them leaves the workgroup but what was found.

// Fragments of a pixel that a workgroup keeps: as many as 16 KiB allow, which every processor has.
const SLOTS = 20u;

var<workgroup> slots: array<vec2<u32>, 1280>;
var<workgroup> is_deep: atomic<u32>;

fn comes_before(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Puts a fragment in its place among the `number` of this pixel.
fn insert(number: u32, fragment: vec2<u32>, lane: u32) {
    var at = number * PIXELS + lane;
    while (at >= PIXELS) {
        let other = slots[at - PIXELS];
        if (!comes_before(fragment, other)) {
            break;
        }
        slots[at] = other;
        at -= PIXELS;
    }
    slots[at] = fragment;
}

fn send_deeper(tile: u32, lane: u32) {
    if (lane == 0u) {
        lists[frame.faces + atomicAdd(&state[DEEP_TILES], 1u)] = tile;
    }
}

@compute @workgroup_size(64)
fn shallow(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = group.y * frame.tiles.x + group.x;
    let word = frame.tiles_at + 2u * index;
    let entry_count = told(select(0u, atomicLoad(&state[word]), has_room_for_entries()), lane);
    if (entry_count == 0u) {
        return;
    }
    if (frame.keeps_image == 1u) {
        send_deeper(index, lane);
        return;
    }
    let end = told(atomicLoad(&state[word + 1u]), lane);
    let tile = vec2<i32>(group.xy);
    var number = 0u;
    for (var at = end - entry_count; at < end; at += PIXELS) {
        let size = load_batch(tile, at, end, lane);
        for (var k = 0u; k < size; k++) {
            if (covers(k, lane)) {
                if (number < SLOTS) {
                    insert(number, fragment_of(k, lane), lane);
                }
                number += 1u;
            }
        }
    }
    if (lane == 0u) {
        atomicStore(&is_deep, 0u);
    }
    workgroupBarrier();
    if (number > SLOTS) {
        atomicStore(&is_deep, 1u);
    }
    workgroupBarrier();
    if (told(atomicLoad(&is_deep), lane) == 1u) {
        send_deeper(index, lane);
        return;
    }
    var walk = walk_start();
    for (var i = 0u; i < number; i++) {
        walk_on(&walk, slots[i * PIXELS + lane]);
    }
    walk_end(&walk, number, tile, lane);
}
