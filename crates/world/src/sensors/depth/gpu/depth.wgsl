// Depth pictures of triangles and half spaces. The rasteriser of the processor only hands out pixels: each triangle covers the rectangle of
// pixels around it, and whether its line meets the triangle, and how far away, is decided in `fragment`. So nothing depends on how a driver
// clips, snaps corners to a grid or interpolates.
//
// Frame of the eye: x forward, y left, z up; a pixel is the line along d = (1, y, z).
// Every edge is kept as its direction m (unit) and f, the point of its line next to the eye. d passes the edge on its inner side if
// f·(m×d) >= 0, and at the distance f·(m×d) / |m×d|. This form moves an edge by rounding no more than its corners were moved, wherever the
// corners are, also behind the eye. Edges are counted in to `slack`, so that triangles with a common edge leave no gap. A pixel that
// close to an edge takes its depth from the edge, and only between its ends: nothing is extrapolated beyond a triangle. (Seen along d, the point of
// the border next to a point within the triangle lies between the ends of its edge, so none that is within gets lost.)

struct View {
    first: vec2<f32>,
    pitch: vec2<f32>,
    near: f32,
    far: f32,
    size: vec2<u32>,
    // Where its first pixel is in the target.
    corner: vec2<u32>,
    // Its instances: from, to.
    instances: vec2<u32>,
}

struct Instance {
    // Rows of eye_from_part: rotation, and where the middle of the part is. Of a half space: normal and height in row_x.
    row_x: vec4<f32>,
    row_y: vec4<f32>,
    row_z: vec4<f32>,
    // No corner is farther from the eye.
    reach: f32,
    // How many triangles of the view come before.
    before: u32,
    // Its first triangle.
    triangles: u32,
    kind: u32,
}

struct Triangle {
    corners: vec3<u32>,
    spare: u32,
    // Unit normal, and its product with any point; all zero for a triangle without area.
    plane: vec4<f32>,
}

const SURFACE = 0u;
const SOLID = 1u;
const HALF_SPACE = 2u;

// 16 roundings of a coordinate.
const SLACK_SHARE = 0x1p-20f;
// The smallest divisor.
const SMALLEST = 0x1p-100f;
// Depths to the range of depth buffers, exactly.
const DEPTH_SCALE = 0x1p-64f;

// How a triangle is seen.
const ONE_SIDE = 0.0;
const BOTH_SIDES = 1.0;
const EYE_ON_IT = 2.0;

@group(0) @binding(0) var<storage, read> views: array<View>;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(3) var<storage, read> corners: array<vec4<f32>>;

struct Spot {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) numbers: vec4<u32>, // view, instance, triangle, kind
    @location(1) @interpolate(flat) plane: vec4<f32>,
    @location(2) @interpolate(flat) limits: vec4<f32>, // nearest and farthest corner, slack, how it is seen
    @location(3) @interpolate(flat) m0: vec4<f32>, // m, and where the edge starts along it
    @location(4) @interpolate(flat) f0: vec4<f32>, // f, and where it ends
    @location(5) @interpolate(flat) m1: vec4<f32>,
    @location(6) @interpolate(flat) f1: vec4<f32>,
    @location(7) @interpolate(flat) m2: vec4<f32>,
    @location(8) @interpolate(flat) f2: vec4<f32>,
}

struct Edge {
    m: vec4<f32>,
    f: vec4<f32>,
    is_point: bool,
    // How far the eye is on the inner side, within the plane of the triangle.
    inside: f32,
}

// The same for both triangles of an edge, but for the sign: it is taken from its corner with the smaller number.
fn edge_of(a: vec3<f32>, b: vec3<f32>, opposite: vec3<f32>, is_ordered: bool, side: f32) -> Edge {
    let low = select(b, a, is_ordered);
    let along = select(a, b, is_ordered) - low;
    let long = length(along);
    var edge: Edge;
    edge.is_point = !(long > 0.0);
    if (edge.is_point) {
        return edge;
    }
    let m = along / long;
    let start = dot(low, m);
    let end = start + long;
    let f = low - start * m;
    let from_low = opposite - low;
    let inwards = from_low - dot(from_low, m) * m;
    edge.inside = -dot(f, inwards) / max(length(inwards), SMALLEST);
    if (is_ordered == (side > 0.0)) {
        edge.m = vec4<f32>(m, start);
        edge.f = vec4<f32>(f, end);
    } else {
        edge.m = vec4<f32>(-m, -end);
        edge.f = vec4<f32>(f, -start);
    }
    return edge;
}

// One of the six corners of the two triangles of a rectangle of pixels.
fn placed(rectangle: vec4<f32>, size: vec2<u32>, corner: u32) -> vec4<f32> {
    let right = corner == 1u || corner == 4u || corner == 5u;
    let low = corner == 2u || corner == 3u || corner == 5u;
    let pixel = vec2<f32>(select(rectangle.x, rectangle.z, right), select(rectangle.y, rectangle.w, low));
    let share = 2.0 * pixel / vec2<f32>(size);
    return vec4<f32>(share.x - 1.0, 1.0 - share.y, 0.5, 1.0);
}

@vertex
fn vertex(@builtin(vertex_index) number: u32, @builtin(instance_index) view_number: u32) -> Spot {
    let view = views[view_number];
    let count = number / 6u;
    var low = view.instances.x;
    var high = view.instances.y;
    while (high - low > 1u) {
        let middle = (low + high) / 2u;
        if (instances[middle].before <= count) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let instance = instances[low];
    let everywhere = vec4<f32>(0.0, 0.0, vec2<f32>(view.size));
    var spot: Spot;
    // Nothing, unless it gets a rectangle.
    spot.position = vec4<f32>(2.0, 2.0, 0.5, 1.0);
    spot.numbers = vec4<u32>(view_number, low, 0u, instance.kind);
    if (instance.kind == HALF_SPACE) {
        spot.plane = instance.row_x;
        spot.position = placed(everywhere, view.size, number % 6u);
        return spot;
    }
    let triangle_number = instance.triangles + (count - instance.before);
    spot.numbers.z = triangle_number;
    let triangle = triangles[triangle_number];
    var seen: array<vec3<f32>, 3>;
    for (var k = 0u; k < 3u; k++) {
        let v = vec4<f32>(corners[triangle.corners[k]].xyz, 1.0);
        seen[k] = vec3<f32>(dot(instance.row_x, v), dot(instance.row_y, v), dot(instance.row_z, v));
    }
    let a = seen[0];
    let b = seen[1];
    let c = seen[2];
    let nearest = min(a.x, min(b.x, c.x));
    let farthest = max(a.x, max(b.x, c.x));
    let slack = SLACK_SHARE * instance.reach;
    if (farthest + slack <= 0.0 || farthest + slack < view.near || nearest - slack > view.far) {
        return spot;
    }
    let n = triangle.plane.xyz;
    let normal = vec3<f32>(
        dot(instance.row_x.xyz, n), dot(instance.row_y.xyz, n), dot(instance.row_z.xyz, n));
    var height =
        triangle.plane.w + dot(normal, vec3<f32>(instance.row_x.w, instance.row_y.w, instance.row_z.w));
    if (!(dot(n, n) > 0.0)) {
        return spot;
    }
    // Negative: the eye is on the side that the face looks to.
    var side = select(-1.0, 1.0, height > 0.0);
    var sides = select(ONE_SIDE, BOTH_SIDES, abs(height) <= slack);
    if (instance.kind == SOLID) {
        if (height > slack) {
            return spot;
        }
        side = -1.0;
        sides = ONE_SIDE;
        height = min(height, -SLACK_SHARE * slack);
    }
    let order = triangle.corners;
    let e0 = edge_of(a, b, c, order.x < order.y, side);
    let e1 = edge_of(b, c, a, order.y < order.z, side);
    let e2 = edge_of(c, a, b, order.z < order.x, side);
    // Smaller than rounding: its neighbours cover it.
    if (e0.is_point || e1.is_point || e2.is_point) {
        return spot;
    }
    // The eye is on the triangle, as far as one can tell: whatever leads into it meets it at once.
    if (abs(height) <= 1.5 * slack && min(e0.inside, min(e1.inside, e2.inside)) >= -slack) {
        sides += EYE_ON_IT;
    }
    spot.plane = vec4<f32>(normal, height);
    spot.limits = vec4<f32>(nearest, farthest, slack, sides);
    spot.m0 = e0.m;
    spot.f0 = e0.f;
    spot.m1 = e1.m;
    spot.f1 = e1.f;
    spot.m2 = e2.m;
    spot.f2 = e2.f;
    var rectangle = everywhere;
    if (nearest > 4.0 * slack) {
        let on0 = a.yz / a.x;
        let on1 = b.yz / b.x;
        let on2 = c.yz / c.x;
        let least = min(on0, min(on1, on2));
        let most = max(on0, max(on1, on2));
        let size = max(abs(least), abs(most)) + abs(view.first);
        // Corners may be off by slack; the rest is the rounding of this very computation, and some of a pixel.
        let off = (2.0 * slack / (nearest - slack)) * (1.0 + size) + SLACK_SHARE * size;
        let margin = 0.01 + off / view.pitch;
        let top_left = ceil((view.first - most) / view.pitch - margin);
        let bottom_right = floor((view.first - least) / view.pitch + margin) + 1.0;
        let limit = vec2<f32>(view.size);
        rectangle = vec4<f32>(clamp(top_left, vec2<f32>(0.0), limit), clamp(bottom_right, vec2<f32>(0.0), limit));
        if (!(rectangle.x < rectangle.z && rectangle.y < rectangle.w)) {
            return spot;
        }
    }
    spot.position = placed(rectangle, view.size, number % 6u);
    return spot;
}

// The depth of the point of an edge that is next to the line along d, w being m×d; negative if it is not between the ends.
fn depth_of_edge(m: vec4<f32>, f: vec4<f32>, d: vec3<f32>, w: vec3<f32>, slack: f32) -> f32 {
    let long = length(w);
    if (!(long > 0.0)) {
        return -1.0;
    }
    // cross(w, m) is the part of d square to m.
    let at = dot(f.xyz, cross(w, m.xyz)) / (long * long) * dot(d, m.xyz);
    let off = 2.0 * slack * length(d) / long;
    if (!(at >= m.w - off && at <= f.w + off)) {
        return -1.0;
    }
    let point = f.xyz + clamp(at, m.w, f.w) * m.xyz;
    return dot(point, d) / dot(d, d);
}

struct Seen {
    // Bits of the depth, and the instance.
    @location(0) what: vec2<u32>,
    @location(1) triangle: u32,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(spot: Spot) -> Seen {
    let view = views[spot.numbers.x];
    let pixel = vec2<f32>(vec2<u32>(spot.position.xy) - view.corner);
    let d = vec3<f32>(1.0, view.first - pixel * view.pitch);
    let along = dot(spot.plane.xyz, d);
    var depth = spot.plane.w / along;
    if (spot.numbers.w == HALF_SPACE) {
        if (!(along < 0.0)) {
            discard;
        }
    } else {
        let w0 = cross(spot.m0.xyz, d);
        let w1 = cross(spot.m1.xyz, d);
        let w2 = cross(spot.m2.xyz, d);
        let g = vec3<f32>(dot(spot.f0.xyz, w0), dot(spot.f1.xyz, w1), dot(spot.f2.xyz, w2));
        let slack = spot.limits.z;
        let room = slack * vec3<f32>(length(w0), length(w1), length(w2));
        var is_in = all(g >= -room);
        let sides = spot.limits.w;
        if (sides == BOTH_SIDES || sides == BOTH_SIDES + EYE_ON_IT) {
            // The eye is in the plane, as far as one can tell.
            is_in = is_in || all(g <= room);
        }
        if (!is_in) {
            discard;
        }
        let is_near = abs(g) <= room;
        if (sides >= EYE_ON_IT) {
            depth = max(abs(depth), SMALLEST);
        } else if (any(is_near)) {
            depth = -1.0;
            if (is_near.x) {
                depth = depth_of_edge(spot.m0, spot.f0, d, w0, slack);
            }
            if (is_near.y && !(depth > 0.0)) {
                depth = depth_of_edge(spot.m1, spot.f1, d, w1, slack);
            }
            if (is_near.z && !(depth > 0.0)) {
                depth = depth_of_edge(spot.m2, spot.f2, d, w2, slack);
            }
        }
        if (!(depth > 0.0)) {
            discard;
        }
        depth = clamp(depth, max(spot.limits.x, 0.0), spot.limits.y);
    }
    if (!(depth >= view.near && depth <= view.far)) {
        discard;
    }
    var seen: Seen;
    seen.what = vec2<u32>(bitcast<u32>(depth), spot.numbers.y);
    seen.triangle = spot.numbers.z;
    seen.depth = depth * DEPTH_SCALE;
    return seen;
}
