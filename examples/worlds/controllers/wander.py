#!/usr/bin/env python3
"""Drives straight on and turns away from what its distance sensors see: laser, infrared or ultrasonic, on wheels or steered.

    controller = { program = ["python3", "controllers/wander.py"], timeout = 1, rate = 20 }

Lines of JSON on standard input and output: see docs/controllers.md.
"""
import json
import math
import sys


def directions(sensor):
    """Angle to the left of every distance that a sensor measures, in radians; None for beams that look up or down."""
    yaw = math.radians(sensor["pose"][5])
    if sensor["kind"] in ("infrared", "ultrasonic"):
        return [yaw]
    if "rows" in sensor:
        rows = sensor["rows"]
        columns, field = rows["columns"], math.radians(rows["field_deg"])
        turns = [yaw + field * (0.5 - (column + 0.5) / columns) for column in range(columns)]
        return [turn if abs(up) < 3 else None for up in rows["elevations_deg"] for turn in turns]
    if "grid" in sensor:
        (columns, rows), field = sensor["grid"]["size"], math.radians(sensor["grid"]["field_deg"][0])
        half = math.tan(field / 2)
        turns = [yaw + math.atan(half * (1 - (2 * column + 1) / columns)) for column in range(columns)]
        return [turn if row == rows // 2 else None for row in range(rows) for turn in turns]
    return []


def main():
    hello = json.loads(sys.stdin.readline())
    looks = {sensor["name"]: directions(sensor) for sensor in hello["sensors"]}
    ranges = [sensor["range"] for sensor in hello["sensors"] if looks[sensor["name"]]]
    near = 0.5 * min(ranges, default=1.0)
    known = {}  # what each sensor saw last: (angle, distance)
    side = 1.0  # it goes on turning to one side until the way is free

    for line in sys.stdin:
        seen = json.loads(line)
        for name, measured in seen["sensors"].items():
            if measured["new"] and looks.get(name):
                value = measured["value"]
                values = value if isinstance(value, list) else [value]
                # null: nothing came back
                pairs = zip(looks[name], values)
                known[name] = [(turn, d) for turn, d in pairs if turn is not None and d is not None]

        points = [point for points in known.values() for point in points]
        ahead = min((d for turn, d in points if abs(turn) < 0.9), default=math.inf)
        beside = min((d for turn, d in points if abs(turn) < 1.7), default=math.inf)
        left = min((d for turn, d in points if 0.2 < turn < 1.7), default=math.inf)
        right = min((d for turn, d in points if -1.7 < turn < -0.2), default=math.inf)
        if ahead > near and beside > 0.3 * near:
            side = 1.0 if left > right else -1.0
            command = {"drive": {"speed": 0.5 * near, "turn": 0.0}}
        elif "steer" in hello["commands"]:
            # A car cannot turn on the spot: back, with the wheels the other way.
            command = {"steer": {"speed": -0.25 * near, "angle_deg": -30.0 * side}}
        else:
            command = {"drive": {"speed": 0.0, "turn": 1.5 * side}}
        print(json.dumps({"n": seen["n"], **command}), flush=True)


if __name__ == "__main__":
    main()
