// Tiles whose pixels have no more than `SLOTS` fragments: nothing of them leaves the workgroup but what was found.

var<workgroup> is_deep: atomic<u32>;

// A layer of this thread's pixel.
fn layer(list: u32, number: u32) -> vec2<u32> {
    return slots[list + number * PIXELS];
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
    let tile = vec2<i32>(group.xy);
    if (entry_count == 0u) {
        set_length(tile, lane, 0u);
        return;
    }
    if (frame.keeps_image == 1u) {
        send_deeper(index, lane);
        return;
    }
    let end = told(atomicLoad(&state[word + 1u]), lane);
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
    finish_pixel(tile, lane, number, lane);
}
