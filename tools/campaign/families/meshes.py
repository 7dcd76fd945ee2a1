"""Rigid meshes that touch with edges, tubes and holes, as the exact shapes do."""

import math

from campaign.families.case import Case
from campaign.families.solid_meshes import box, cylinder, groove, obj, plate_with_hole, torus
from campaign.families.turns import turn

KINDS = ["bars", "tori", "peg", "nut", "groove"]
SOLID = {"density_kg_m3": 800}


def height(body, low, high):
    return {"height": {"check": "body_position", "body": body, "above_m": low, "below_m": high}}


def bars(draw):
    """A bar lies across two bars: only edges are near each other."""
    thick = draw.log(5e-3, 0.03)
    forms = [{"shape": "mesh", "file": "bar.obj"}, {"shape": "box", "size_m": [0.3, thick, thick]}]
    lower, upper = draw.choice([(0, 0), (0, 1), (1, 0)])
    upper_bar = {
        **forms[upper],
        **SOLID,
        "friction": 0.5,
        "position_m": [0, draw.uniform(-0.1, 0.1), thick + 0.003],
        "orientation_wxyz": turn("z", draw.uniform(-0.5, 0.5)),
    }
    obstacles = {
        name: {**forms[lower], "position_m": [x, 0, 0], "orientation_wxyz": turn("z", math.pi / 2)}
        for name, x in (("left", -0.1), ("right", 0.1))
    }
    return Case(
        {
            "time": {"step_s": draw.choice([0.002, 0.005]), "duration_s": 0.5},
            "rigid_bodies": {"upper": upper_bar},
            "obstacles": obstacles,
            "checks": height("upper", thick - 1e-5, thick + 1e-5),
        },
        {"bar.obj": obj(box([0.3, thick, thick]))},
    )


def tori(draw):
    """A torus hangs in a torus, two tube radii below it, but for the sagittas of the facets: tubes are thinner, holes narrower."""
    radius = draw.uniform(0.06, 0.12)
    tube = draw.uniform(0.1, 0.25) * radius
    facets, tube_facets = draw.whole(40, 80), draw.whole(20, 40)
    sagitta = tube * (1 - math.cos(math.pi / tube_facets)) + (radius + tube) * (1 - math.cos(math.pi / facets))
    in_hole = (radius - tube) * (1 - math.cos(math.pi / facets))
    hanging = {
        "shape": "mesh",
        "file": "torus.obj",
        **SOLID,
        "friction": 0.3,
        "position_m": [radius, 0, 2 * tube - radius + 0.005],
        "orientation_wxyz": turn("x", math.pi / 2),
    }
    return Case(
        {
            "time": {"step_s": 0.002, "duration_s": 1.5},
            "rigid_bodies": {"hangs": hanging},
            "obstacles": {"ring": {"shape": "mesh", "file": "torus.obj", "friction": 0.3}},
            "checks": height("hangs", 2 * tube - radius - 2.5 * sagitta, 2 * tube - radius + 2 * in_hole + 1e-5),
        },
        {"torus.obj": obj(torus(radius, tube, facets, tube_facets))},
    )


def falls_to_the_floor(falling, start_m, friction, fixed, height_m, checks):
    """A mesh falls past a fixed mesh, whose centre is at x = y = 0."""

    def placed(name, position_m):
        return {"shape": "mesh", "file": f"{name}.obj", "friction": friction, "position_m": position_m}

    return Case(
        {
            "time": {"step_s": 0.001, "duration_s": 0.4},
            "rigid_bodies": {"falling": {**placed("falling", start_m), **SOLID}},
            "obstacles": {"floor": {"shape": "half_space"}, "fixed": placed("fixed", [0, 0, height_m])},
            "checks": checks,
        },
        {"falling.obj": obj(falling), "fixed.obj": obj(fixed)},
    )


def peg(draw):
    """A peg of 5 mm falls through a hole of 5.1 mm and touches nothing on its way."""
    off, facets = draw.uniform(0, 5e-5), draw.whole(64, 128)
    straight = {"check": "body_position", "body": "falling", "axis": "x", "above_m": off - 1e-7, "below_m": off + 1e-7}
    checks = {**height("falling", 0.02 - 1e-6, 0.02 + 1e-6), "straight": straight}
    plate = plate_with_hole(0.0051, 0.02, 0.02, facets)
    return falls_to_the_floor(cylinder(0.005, 0.04, facets), [off, 0, 0.06], 0.3, plate, 0.03, checks)


def nut(draw):
    """A nut falls along a bolt."""
    play, facets = draw.uniform(1e-4, 4e-4), draw.whole(48, 96)
    start = [draw.uniform(0, play / 4), 0, 0.036]
    ring, bolt = plate_with_hole(0.005 + play, 0.011, 0.008, facets), cylinder(0.005, 0.04, facets)
    return falls_to_the_floor(ring, start, 0.2, bolt, 0.02, height("falling", 0.004 - 1e-6, 0.0041))


def in_groove(draw):
    """A ball, capsule or cylinder falls into a groove and lies on both slopes."""
    left, right = draw.uniform(0.3, 1.0), draw.uniform(0.3, 1.0)
    radius, friction = draw.log(5e-3, 0.03), draw.choice([0, 0.2, 0.6])
    size = {"radius_m": radius, "length_m": 2 * radius, "orientation_wxyz": turn("x", math.pi / 2)}
    form = draw.choice([{"shape": "sphere", "radius_m": radius}, {"shape": "capsule", **size}, {"shape": "cylinder", **size}])
    # The centre is at a distance of one radius from both slopes.
    scale = radius / math.sin(left + right)
    x, z = scale * (math.cos(right) - math.cos(left)), scale * (math.sin(left) + math.sin(right))
    start = [x + draw.uniform(-0.3, 0.3) * radius, 0, z + radius]
    place = {"x": x, "z": z}
    checks = {
        name: {"check": "body_position", "body": "body", "axis": name, "above_m": at - 1e-5, "below_m": at + 1e-5}
        for name, at in place.items()
    }
    return Case(
        {
            "time": {"step_s": draw.choice([0.002, 0.005]), "duration_s": 1.0},
            "rigid_bodies": {"body": {**form, "mass_kg": 0.1, "friction": friction, "position_m": start}},
            "obstacles": {"block": {"shape": "mesh", "file": "groove.obj", "friction": friction}},
            "checks": {**checks, "outside": {"check": "max_penetration", "bound_m": 1e-5}},
        },
        {"groove.obj": obj(groove(8 * radius, left, right))},
    )


def sample(draw, kind):
    return {"bars": bars, "tori": tori, "peg": peg, "nut": nut, "groove": in_groove}[kind](draw)
