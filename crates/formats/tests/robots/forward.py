"""Where the links of real robots are, by Pinocchio, for crates/formats/tests/it/robot_forward.rs.

    pip install pin
    python forward.py DATA_FOLDER > forward.json
"""

import json
import math
import random
import sys
import xml.etree.ElementTree as tree

import pinocchio

ROBOTS = {
    "moveit-resources/panda_description/urdf/panda.urdf": 5,
    "moveit-resources/fanuc_description/urdf/fanuc.urdf": 5,
    "example-robot-data/robots/ur_description/urdf/ur5_robot.urdf": 5,
    "example-robot-data/robots/pr2_description/urdf/pr2.urdf": 2,
}


def joint_values(root, chance):
    """A value for every joint that can move, inside its limits; followers follow."""
    values, followers = {}, []
    for joint in root.findall("joint"):
        kind, name = joint.get("type"), joint.get("name")
        if kind == "fixed":
            continue
        mimic = joint.find("mimic")
        if mimic is not None:
            followers.append((name, mimic))
        elif kind == "continuous":
            values[name] = chance.uniform(-math.pi, math.pi)
        else:
            limit = joint.find("limit")
            values[name] = chance.uniform(float(limit.get("lower", 0)), float(limit.get("upper", 0)))
    for name, mimic in followers:
        factor, offset = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
        values[name] = factor * values[mimic.get("joint")] + offset
    return values


def configuration(model, values):
    """The values as Pinocchio wants them: joints that turn without end as cosine and sine."""
    found = pinocchio.neutral(model)
    for number in range(1, model.njoints):
        joint, value = model.joints[number], values[model.names[number]]
        if joint.nq == 2:
            found[joint.idx_q], found[joint.idx_q + 1] = math.cos(value), math.sin(value)
        else:
            found[joint.idx_q] = value
    return found


def cases(folder):
    chance = random.Random(7)
    for path, count in ROBOTS.items():
        file = f"{folder}/{path}"
        root = tree.parse(file).getroot()
        model = pinocchio.buildModelFromUrdf(file)
        data = model.createData()
        for _ in range(count):
            values = joint_values(root, chance)
            pinocchio.framesForwardKinematics(model, data, configuration(model, values))
            links = {}
            for link in root.findall("link"):
                placed = data.oMf[model.getFrameId(link.get("name"), pinocchio.FrameType.BODY)]
                links[link.get("name")] = [*placed.translation, *placed.rotation.flatten()]
            yield {"file": path, "joints": values, "links": links}


if __name__ == "__main__":
    print("[" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases(sys.argv[1])) + "]")
