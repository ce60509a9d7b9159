// Depth pictures of triangles and half spaces. The rasteriser of the processor only hands out pixels: each triangle covers the rectangle of
// pixels around it, and whether its line meets the triangle, and how far away, is decided in `fragment`. So nothing depends on how a driver
// clips, snaps corners to a grid or interpolates.
//
// Frame of the eye: x forward, y left, z up; a pixel is the line along d = (1, y, z).
// Every edge is kept as its direction m (unit) and f, the point of its line next to the eye. d passes the edge on its inner side if
// f·(m×d) >= 0, and at the distance f·(m×d) / |m×d|. This form moves an edge by rounding no more than its corners were moved, wherever the
// corners are, also behind the eye. Edges are counted in to `slack`, so that triangles with a common edge leave no gap, and
// pixels that close to an edge take their depth from it: nothing is extrapolated beyond a triangle.

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
// Depths to the range of depth buffers, exactly.
const DEPTH_SCALE = 0x1p-64f;

@group(0) @binding(0) var<storage, read> views: array<View>;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(3) var<storage, read> corners: array<vec4<f32>>;

struct Spot {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) numbers: vec4<u32>, // view, instance, triangle, kind
    @location(1) @interpolate(flat) plane: vec4<f32>,
    @location(2) @interpolate(flat) limits: vec4<f32>, // nearest and farthest corner, slack, 1 if seen from an unknown side
    @location(3) @interpolate(flat) m0: vec3<f32>,
    @location(4) @interpolate(flat) f0: vec3<f32>,
    @location(5) @interpolate(flat) m1: vec3<f32>,
    @location(6) @interpolate(flat) f1: vec3<f32>,
    @location(7) @interpolate(flat) m2: vec3<f32>,
    @location(8) @interpolate(flat) f2: vec3<f32>,
}

struct Edge {
    m: vec3<f32>,
    f: vec3<f32>,
    is_point: bool,
}

// The same for both triangles of an edge, but for the sign: it is taken from its corner with the smaller number.
fn edge_of(a: vec3<f32>, b: vec3<f32>, is_ordered: bool, side: f32) -> Edge {
    let low = select(b, a, is_ordered);
    let along = select(a, b, is_ordered) - low;
    let long = length(along);
    var edge: Edge;
    edge.is_point = !(long > 0.0);
    if (edge.is_point) {
        return edge;
    }
    let m = along / long;
    edge.f = low - dot(low, m) * m;
    edge.m = m * select(-side, side, is_ordered);
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
    var is_unsure = abs(height) <= slack;
    if (instance.kind == SOLID) {
        if (height > slack) {
            return spot;
        }
        side = -1.0;
        is_unsure = false;
        height = min(height, -SLACK_SHARE * slack);
    }
    let order = triangle.corners;
    let e0 = edge_of(a, b, order.x < order.y, side);
    let e1 = edge_of(b, c, order.y < order.z, side);
    let e2 = edge_of(c, a, order.z < order.x, side);
    // Smaller than rounding: its neighbours cover it.
    if (e0.is_point || e1.is_point || e2.is_point) {
        return spot;
    }
    spot.plane = vec4<f32>(normal, height);
    spot.limits = vec4<f32>(nearest, farthest, slack, select(0.0, 1.0, is_unsure));
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
        let w0 = cross(spot.m0, d);
        let w1 = cross(spot.m1, d);
        let w2 = cross(spot.m2, d);
        let g = vec3<f32>(dot(spot.f0, w0), dot(spot.f1, w1), dot(spot.f2, w2));
        let slack = spot.limits.z * vec3<f32>(length(w0), length(w1), length(w2));
        var is_in = all(g >= -slack);
        if (spot.limits.w > 0.0) {
            // The eye is in the plane, or as good as: there is nothing between the two sides.
            is_in = is_in || all(g <= slack);
            depth = abs(depth);
        }
        if (!is_in) {
            discard;
        }
        if (abs(g.x) <= slack.x) {
            depth = dot(spot.f0, d) / dot(w0, w0);
        } else if (abs(g.y) <= slack.y) {
            depth = dot(spot.f1, d) / dot(w1, w1);
        } else if (abs(g.z) <= slack.z) {
            depth = dot(spot.f2, d) / dot(w2, w2);
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
