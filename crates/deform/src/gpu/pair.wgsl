// `bodies.rs`: what both of two bodies are inside of.

// Where a body's intervals have been followed to.
struct Follower {
    // The next layer.
    at: u32,
    counter: i32,
    is_pending: bool,
    // Start, end, first and last layer: the one being followed, and the one found.
    open: vec4<u32>,
    found: vec4<u32>,
}

fn is_long(interval: vec4<u32>) -> bool {
    return interval.y - interval.x > NOISE;
}

// Goes on to the body's next interval; false if there is none.
fn next_interval(follower: ptr<function, Follower>, list: u32, number: u32, body: u32) -> bool {
    var f = *follower;
    var is_found = false;
    while (f.at < number && !is_found) {
        let fragment = layer(list, f.at);
        let depth = fragment.x >> 1u;
        if (body_of(fragment.y) == body) {
            if ((fragment.x & 1u) == 1u) {
                f.counter += 1;
                if (f.counter == 1 && !(f.is_pending && f.open.y == depth)) {
                    is_found = f.is_pending && is_long(f.open);
                    f.found = f.open;
                    f.open = vec4<u32>(depth, depth, f.at, f.at);
                    f.is_pending = false;
                }
            } else {
                if (f.counter == 1) {
                    f.open.y = depth;
                    f.open.w = f.at;
                    f.is_pending = true;
                }
                f.counter -= 1;
            }
        }
        f.at += 1u;
    }
    if (!is_found && f.is_pending) {
        is_found = is_long(f.open);
        f.found = f.open;
        f.is_pending = false;
    }
    *follower = f;
    return is_found;
}

// What a ray shares, as its intervals; faces at their ends are marked.
fn shared_by_both(list: u32, number: u32) -> Ray {
    var ray = Ray();
    var a = Follower();
    var b = Follower();
    var goes_on = next_interval(&a, list, number, 0u) && next_interval(&b, list, number, 1u);
    while (goes_on) {
        let start = max(a.found.x, b.found.x);
        let end = min(a.found.y, b.found.y);
        if (end > start + NOISE) {
            ray.length += end - start;
            ray.intervals += 1u;
            confirm(
                list, end - start,
                select(b.found.z, a.found.z, a.found.x >= b.found.x),
                select(b.found.w, a.found.w, a.found.y <= b.found.y));
            // Both, where they are as deep up to noise.
            if (a.found.x + NOISE >= b.found.x) {
                mark_layer(list, a.found.z);
            }
            if (b.found.x + NOISE >= a.found.x) {
                mark_layer(list, b.found.z);
            }
            if (a.found.y <= b.found.y + NOISE) {
                mark_layer(list, a.found.w);
            }
            if (b.found.y <= a.found.y + NOISE) {
                mark_layer(list, b.found.w);
            }
        }
        if (a.found.y <= b.found.y) {
            goes_on = next_interval(&a, list, number, 0u);
        } else {
            goes_on = next_interval(&b, list, number, 1u);
        }
    }
    return ray;
}
