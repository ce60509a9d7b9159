// Which tiles a face may cover: counted, given room, written. Lists of tiles are in no order.

// A face over more tiles than this is done by a workgroup.
const LARGE = 16u;
const GROUP = 64u;

struct Box {
    low: vec2<i32>,
    size: vec2<i32>,
}

fn tiles_of(triangle: Triangle) -> Box {
    let low = triangle.low / TILE;
    return Box(low, triangle.high / TILE - low + 1);
}

// False if no sample of the tile is covered: an edge has them all outside. Only samples within the box of the triangle are looked at, where
// edge functions do not overflow.
fn may_cover(triangle: Triangle, tile: vec2<i32>) -> bool {
    let low = max(tile * TILE, triangle.low) - triangle.low;
    let high = min(tile * TILE + (TILE - 1), triangle.high) - triangle.low;
    let x = select(vec3<i32>(low.x), vec3<i32>(high.x), triangle.a > vec3<i32>(0));
    let y = select(vec3<i32>(low.y), vec3<i32>(high.y), triangle.b > vec3<i32>(0));
    return all(triangle.a * x + triangle.b * y + triangle.c >= vec3<i32>(0));
}

fn tile_word(tile: vec2<i32>) -> u32 {
    return frame.tiles_at + 2u * (u32(tile.y) * frame.tiles.x + u32(tile.x));
}

// The same work is done twice: first to count, then to write.
override is_writing: bool;

fn put(tile: vec2<i32>, face: u32) {
    let word = tile_word(tile);
    if (is_writing) {
        entries[atomicAdd(&state[word + 1u], 1u)] = face;
    } else {
        atomicAdd(&state[word], 1u);
    }
}

@compute @workgroup_size(64)
fn small(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let face = id.x + id.y * groups.x * GROUP;
    if (face >= frame.faces || (is_writing && !has_room_for_entries())) {
        return;
    }
    let triangle = triangle_of(face);
    if (!triangle.is_there) {
        return;
    }
    let box = tiles_of(triangle);
    let number = u32(box.size.x) * u32(box.size.y);
    if (number > LARGE) {
        if (!is_writing) {
            lists[atomicAdd(&state[LARGE_FACES], 1u)] = face;
        }
        return;
    }
    for (var y = 0; y < box.size.y; y++) {
        for (var x = 0; x < box.size.x; x++) {
            let tile = box.low + vec2<i32>(x, y);
            if (number == 1u || may_cover(triangle, tile)) {
                put(tile, face);
            }
        }
    }
}

@compute @workgroup_size(64)
fn large(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if (is_writing && !has_room_for_entries()) {
        return;
    }
    let number = atomicLoad(&state[LARGE_FACES]);
    for (var k = group.x; k < number; k += groups.x) {
        let face = lists[k];
        let triangle = triangle_of(face);
        let box = tiles_of(triangle);
        let most = u32(box.size.x) * u32(box.size.y);
        for (var i = lane; i < most; i += GROUP) {
            let tile = box.low + vec2<i32>(i32(i) % box.size.x, i32(i) / box.size.x);
            if (may_cover(triangle, tile)) {
                put(tile, face);
            }
        }
    }
}

var<workgroup> in_group: atomic<u32>;
var<workgroup> group_start: u32;

// Room for the list of each tile.
@compute @workgroup_size(64)
fn give_room(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let tile = id.x + id.y * groups.x * GROUP;
    let word = frame.tiles_at + 2u * tile;
    var number = 0u;
    if (tile < frame.tiles.x * frame.tiles.y) {
        number = atomicLoad(&state[word]);
    }
    if (lane == 0u) {
        atomicStore(&in_group, 0u);
    }
    workgroupBarrier();
    let before = atomicAdd(&in_group, number);
    workgroupBarrier();
    if (lane == 0u) {
        group_start = add_wide(ENTRIES_LOW, atomicLoad(&in_group));
    }
    let start = workgroupUniformLoad(&group_start);
    if (number > 0u) {
        atomicStore(&state[word + 1u], start + before);
    }
}
