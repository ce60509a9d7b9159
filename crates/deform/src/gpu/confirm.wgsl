// `confirm.rs`, to the bit: is an overlap longer than what rounding may have made of it? `layer(list, number)` is of the program.

fn magnitude(a: vec2<u32>) -> f32 {
    let x = select(a, wide_negate(a), wide_is_negative(a));
    return (f32(x.y) * 0x1p32f + f32(x.x >> 16u) * 0x1p16f) + f32(x.x & 0xffffu);
}

fn cross_of(a: vec2<i32>, b: vec2<i32>) -> f32 {
    return magnitude(wide_subtract(wide_product(a.x, b.y), wide_product(a.y, b.x)));
}

// How far a face may have moved along a ray, in steps: x / y.
fn moved(face: u32) -> vec2<f32> {
    let at = 3u * face;
    let p = corner_of(faces[at]);
    let q = corner_of(faces[at + 1u]);
    let r = corner_of(faces[at + 2u]);
    let a = q.place - p.place;
    let b = r.place - p.place;
    let w = vec2<i32>(i32(q.w - p.w), i32(r.w - p.w));
    let area = cross_of(a, b);
    let aside = cross_of(vec2<i32>(a.x, w.x), vec2<i32>(b.x, w.y)) + cross_of(vec2<i32>(a.y, w.x), vec2<i32>(b.y, w.y));
    return vec2<f32>(0.5 * (area + aside), area);
}

// Tells if an overlap between two layers, longer than noise, is real; asks no more once one is.
fn confirm(list: u32, length: u32, first: u32, last: u32) {
    if (atomicLoad(&state[CONFIRMED]) == 1u) {
        return;
    }
    let a = moved(layer(list, first).y);
    let b = moved(layer(list, last).y);
    let beyond = f32(length - NOISE);
    if (rounded(rounded(beyond * a.y) * b.y) > rounded(a.x * b.y) + rounded(b.x * a.y)) {
        atomicStore(&state[CONFIRMED], 1u);
    }
}
