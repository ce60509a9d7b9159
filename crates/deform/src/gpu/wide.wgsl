// Integers of 64 bits, two's complement, low word first: WGSL has none that every processor knows.

fn wide_negate(a: vec2<u32>) -> vec2<u32> {
    let low = 0u - a.x;
    return vec2<u32>(low, ~a.y + select(0u, 1u, low == 0u));
}

fn wide_subtract(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn wide_is_negative(a: vec2<u32>) -> bool {
    return (a.y >> 31u) == 1u;
}

fn wide_is_zero(a: vec2<u32>) -> bool {
    return (a.x | a.y) == 0u;
}

// Product of two words without sign.
fn wide_product_of_words(a: u32, b: u32) -> vec2<u32> {
    let a0 = a & 0xffffu;
    let a1 = a >> 16u;
    let b0 = b & 0xffffu;
    let b1 = b >> 16u;
    let low = a0 * b0;
    // None of these sums reaches 2^32.
    let middle = a1 * b0 + (low >> 16u);
    let other = a0 * b1 + (middle & 0xffffu);
    return vec2<u32>((other << 16u) | (low & 0xffffu), a1 * b1 + (middle >> 16u) + (other >> 16u));
}

fn wide_product(a: i32, b: i32) -> vec2<u32> {
    let product = wide_product_of_words(u32(a), u32(b));
    return vec2<u32>(product.x, product.y - select(0u, u32(b), a < 0) - select(0u, u32(a), b < 0));
}

// The low word of the floor of a / 2^shift, for 0 <= shift < 32.
fn wide_floor_word(a: vec2<u32>, shift: u32) -> i32 {
    // Two steps: a shift by 32 bits is none.
    return i32((a.x >> shift) | ((a.y << 1u) << (31u - shift)));
}

// The f32 next to a number from 0 to 2^43, ties to even: two exact parts, and one sum that rounds.
fn wide_to_f32(a: vec2<u32>) -> f32 {
    return f32((a.x >> 20u) | (a.y << 12u)) * 0x1p20f + f32(a.x & 0xfffffu);
}

// The same for a word below 2^31, as conversions may round in other ways.
fn word_to_f32(a: vec2<i32>) -> vec2<f32> {
    return vec2<f32>(a >> vec2<u32>(12u)) * 0x1p12f + vec2<f32>(a & vec2<i32>(0xfff));
}
