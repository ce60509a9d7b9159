// Fragments in the memory of the workgroup: of a few layers for each thread, or lists that all threads sort together.

// Fragments of a pixel: as many as 16 KiB allow, which every processor has.
const SLOTS = 20u;

var<workgroup> slots: array<vec2<u32>, 1280>;

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
