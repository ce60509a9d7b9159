// `triangle.rs`, to the bit: the same whole numbers, and the same additions and products of f32 in the same order.

struct Corner {
    place: vec2<i32>,
    w: f32,
}

// One edge: gains per column and row, value at the first column and row, and what it lacks as a whole number of units.
struct Edge {
    a: i32,
    b: i32,
    c: i32,
    rest: u32,
}

struct Triangle {
    // False if no centre of a pixel is in its box.
    is_there: bool,
    is_front: bool,
    // First and last column and row.
    low: vec2<i32>,
    high: vec2<i32>,
    a: vec3<i32>,
    b: vec3<i32>,
    c: vec3<i32>,
    // Of the edges 1 and 2, which depth is made of.
    rest: vec2<u32>,
    area: vec2<u32>,
    // Depths of the corners.
    w: vec3<f32>,
}

// Depth over the numbers of the edges 1 and 2.
struct Plane {
    a: vec2<i32>,
    b: vec2<i32>,
    c: vec2<i32>,
    rest: vec2<f32>,
    gain: vec2<f32>,
    range: vec2<f32>,
    base: f32,
}

// A product as it is: what no compiler sees through cannot be fused with the sum that it goes into.
fn rounded(product: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(product) ^ frame.zero);
}

fn corner_of(vertex: u32) -> Corner {
    let at = 3u * vertex;
    return Corner(
        vec2<i32>(i32(vertices[at]), i32(vertices[at + 1u])), bitcast<f32>(vertices[at + 2u]));
}

// The first centre of a pixel that is not below x.
fn up(x: vec2<i32>) -> vec2<i32> {
    let unit = 1i << frame.shift;
    return (x - vec2<i32>(unit >> 1u) + vec2<i32>(unit - 1)) >> vec2<u32>(frame.shift);
}

fn edge_of(start: vec2<i32>, end: vec2<i32>, first: vec2<i32>) -> Edge {
    let d = end - start;
    let p = first - start;
    let e = wide_subtract(wide_product(d.x, p.y), wide_product(d.y, p.x));
    let is_in = d.y < 0 || (d.y == 0 && d.x > 0);
    let bias = select(1u, 0u, is_in);
    let biased = wide_subtract(e, vec2<u32>(bias, 0u));
    let unit = 1u << frame.shift;
    return Edge(-d.y, d.x, wide_floor_word(biased, frame.shift), (biased.x & (unit - 1u)) + bias);
}

// All but depth.
fn triangle_of(face: u32) -> Triangle {
    let at = 3u * face;
    let p0 = corner_of(faces[at]);
    var p1 = corner_of(faces[at + 1u]);
    var p2 = corner_of(faces[at + 2u]);
    var triangle: Triangle;
    let low = max(up(min(p0.place, min(p1.place, p2.place))), vec2<i32>(0));
    let high = min(up(max(p0.place, max(p1.place, p2.place))), vec2<i32>(frame.size)) - 1;
    // Most faces of a fine surface end here.
    if (any(low > high)) {
        return triangle;
    }
    let d1 = p1.place - p0.place;
    let d2 = p2.place - p0.place;
    var area = wide_subtract(wide_product(d1.x, d2.y), wide_product(d2.x, d1.y));
    if (wide_is_zero(area)) {
        return triangle;
    }
    triangle.is_there = true;
    triangle.is_front = wide_is_negative(area);
    if (triangle.is_front) {
        let other = p1;
        p1 = p2;
        p2 = other;
        area = wide_negate(area);
    }
    triangle.low = low;
    triangle.high = high;
    let unit = 1i << frame.shift;
    let first = low * unit + vec2<i32>(unit >> 1u);
    let e0 = edge_of(p1.place, p2.place, first);
    let e1 = edge_of(p2.place, p0.place, first);
    let e2 = edge_of(p0.place, p1.place, first);
    triangle.a = vec3<i32>(e0.a, e1.a, e2.a);
    triangle.b = vec3<i32>(e0.b, e1.b, e2.b);
    triangle.c = vec3<i32>(e0.c, e1.c, e2.c);
    triangle.rest = vec2<u32>(e1.rest, e2.rest);
    triangle.area = area;
    triangle.w = vec3<f32>(p0.w, p1.w, p2.w);
    return triangle;
}

fn reciprocal(x: f32) -> f32 {
    var r = bitcast<f32>(0x7ef311c7u - bitcast<u32>(x));
    for (var i = 0; i < 3; i++) {
        r = r + rounded(r * (1.0 - rounded(x * r)));
    }
    return r;
}

// The plane of depth, with edges counted begin the first column and row of a tile.
fn plane_of(triangle: Triangle, tile: vec2<i32>) -> Plane {
    let begin = tile * TILE - triangle.low;
    let unit = f32(1u << frame.shift);
    let per_unit = rounded(reciprocal(wide_to_f32(triangle.area)) * unit);
    let w = triangle.w;
    var plane: Plane;
    plane.a = triangle.a.yz;
    plane.b = triangle.b.yz;
    plane.c = plane.a * begin.x + plane.b * begin.y + triangle.c.yz;
    // A power of two: exact.
    plane.rest = vec2<f32>(triangle.rest) * bitcast<f32>((127u - frame.shift) << 23u);
    plane.gain = vec2<f32>(rounded((w.y - w.x) * per_unit), rounded((w.z - w.x) * per_unit));
    plane.range = vec2<f32>(min(w.x, min(w.y, w.z)), max(w.x, max(w.y, w.z)));
    plane.base = w.x;
    return plane;
}

// What layers are sorted by, at a column and row of the tile.
fn key_of(plane: Plane, place: vec2<i32>, is_front: bool) -> u32 {
    let e = plane.a * place.x + plane.b * place.y + plane.c;
    let weight = word_to_f32(e) + plane.rest;
    let t1 = rounded(weight.x * plane.gain.x);
    let t2 = rounded(weight.y * plane.gain.y);
    let w = plane.base + (t1 + t2);
    let depth = u32(min(max(w, plane.range.x), plane.range.y) + 0.5);
    return (depth << 1u) | select(0u, 1u, is_front);
}
