#!/usr/bin/env python3
"""Hunts balls: turns to the nearest one that its ball finder sees, runs into it, and looks for the next one.

One line of JSON comes per step, one goes back; docs/controllers.md describes both. Only the standard library is used.
"""

import json
import math
import sys


def bearings(sensor):
    """Directions of the beams of a row, in radians to the left."""
    columns, field = sensor["rows"]["columns"], math.radians(sensor["rows"]["field_deg"])
    return [field * (0.5 - (k + 0.5) / columns) for k in range(columns)]


def nearest(values, angles, within):
    """Distance and direction of the nearest return within an angle of straight ahead."""
    seen = [(d, a) for d, a in zip(values, angles) if d is not None and abs(a) <= within]
    return min(seen, default=(math.inf, 0.0))


hello = json.loads(sys.stdin.readline())
angles = {sensor["name"]: bearings(sensor) for sensor in hello["sensors"] if "rows" in sensor}
caught = set()
back_until = 0.0
side = 1.0
walls, balls = [], []

for line in sys.stdin:
    seen = json.loads(line)
    answer = {"n": seen["n"]}
    for event in seen["events"]:
        for body in event.get("bodies", []) if event["kind"] == "collision" else []:
            if body.startswith("ball") and body not in caught:
                caught.add(body)
                answer["log"] = f"caught {body}, {len(caught)} by now"
                back_until = seen["t"] + 1.0
    walls = seen["sensors"].get("laser", {}).get("value") or walls
    balls = seen["sensors"].get("balls", {}).get("value") or balls
    ahead, where = nearest(walls, angles["laser"], 0.8)
    ball, bearing = nearest(balls, angles["balls"], math.pi)
    wall_there, _ = nearest([d for d in walls], [a - bearing for a in angles["laser"]], 0.1)
    if seen["t"] < back_until:
        speed, turn = -0.3, 1.2 * side
    elif ball < wall_there + 0.3:
        speed, turn = 0.5 * max(0.1, math.cos(bearing)), 2.5 * bearing
    elif ahead < 0.45:
        speed, turn = 0.0, -1.5 * math.copysign(1.0, where)
    else:
        left = sum(min(d or 8.0, 3.0) for d, a in zip(walls, angles["laser"]) if a > 0.3)
        right = sum(min(d or 8.0, 3.0) for d, a in zip(walls, angles["laser"]) if a < -0.3)
        speed, turn = 0.5, 0.8 * (left - right) / (left + right + 0.01)
    answer["drive"] = {"speed": speed, "turn": turn}
    print(json.dumps(answer), flush=True)
