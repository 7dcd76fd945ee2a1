"""Writes tool_track.txt, the path of the tool of cable_benchmark, and closed_form.csv, the solution for a string.

The tool lifts a cable of length L along a line until it leaves the cylinder at the angle BETA and has the strain
STRAIN. It waits there and then winds the cable along a helix at constant speed. A string with uniform strain that
does not slip covers the helix up to the angle phi. Its free part is the tangent in this point:

  tool = axis + R e_r(phi) + (L' - s) (cos BETA e_t(phi) + sin BETA e_z) + (z_0 + s sin BETA) e_z,   s = R phi/cos BETA

with L' = (1 + STRAIN) L. The force of the cable on the tool is EA STRAIN along the free part.

usage: make_track.py        (no packages needed)
"""

import math
import pathlib

STEP_S = 0.01
ROWS = 5500
LENGTH_M = 0.4
START_M = (0.512, 0.1975, 0.1)
AXIS_M = (0.4920, -0.2025, 0.1)  # at the height of the cable's rear end
R_M = 0.022  # cylinder and cable
BETA = math.radians(20)
STRAIN = 0.05
TURNS = 2.0
LIFT_S, HOLD_S, END_S = 5.0, 2.0, 3.0  # the remaining time is the helix
EASE_S = 1.0  # acceleration to the speed of the helix
EA_N = 2.954e6 * math.pi * 0.002**2
LINKS = 160
REFERENCE_EVERY = 50  # steps between rows of closed_form.csv


def minimum_jerk(s):
    s = min(max(s, 0.0), 1.0)
    return s**3 * (10 + s * (6 * s - 15))


def on_string(phi, length, strain=STRAIN):
    """Point of the string at the rest length `length` from the rear, for the winding angle phi."""
    s_wound = R_M * phi / math.cos(BETA)
    s = (1 + strain) * length
    angle = min(s, s_wound) * math.cos(BETA) / R_M
    free = max(s - s_wound, 0.0)
    c, sn = math.cos(angle), math.sin(angle)
    return (
        AXIS_M[0] + R_M * c - free * math.cos(BETA) * sn,
        AXIS_M[1] + R_M * sn + free * math.cos(BETA) * c,
        AXIS_M[2] + s * math.sin(BETA),
    )


def path_length(phi):
    """Horizontal path length of the tool from 0 to phi: integral of its distance from the point of contact."""
    return (1 + STRAIN) * LENGTH_M * math.cos(BETA) * phi - R_M * phi**2 / 2


def angle_at(way):
    """Inverse of path_length."""
    a = (1 + STRAIN) * LENGTH_M * math.cos(BETA)
    return (a - math.sqrt(a * a - 2 * R_M * way)) / R_M


def winding_angle(time_s):
    """Winding angle phi of a motion with constant speed and constant acceleration at both ends."""
    t = time_s - LIFT_S - HOLD_S
    duration = ROWS * STEP_S - LIFT_S - HOLD_S - END_S
    total = path_length(2 * math.pi * TURNS)
    speed = total / (duration - EASE_S)
    t = min(max(t, 0.0), duration)
    if t < EASE_S:
        way = speed * t * t / (2 * EASE_S)
    elif t < duration - EASE_S:
        way = speed * (t - EASE_S / 2)
    else:
        way = total - speed * (duration - t) ** 2 / (2 * EASE_S)
    return angle_at(way)


def tool(time_s):
    if time_s < LIFT_S:
        share = minimum_jerk(time_s / LIFT_S)
        return tuple(a + share * (b - a) for a, b in zip(START_M, on_string(0, LENGTH_M)))
    return on_string(winding_angle(time_s), LENGTH_M)


def closed_form(step):
    """Row of a reference table: step, time, force, three zeros, centres of nine links."""
    phi = winding_angle(step * STEP_S)
    direction = (-math.sin(phi) * math.cos(BETA), math.cos(phi) * math.cos(BETA), math.sin(BETA))
    row = [step, step * STEP_S] + [-EA_N * STRAIN * d for d in direction] + [0, 0, 0]
    for s in range(9):
        link = s * (LINKS - 1) // 8
        row += on_string(phi, (link + 0.5) * LENGTH_M / LINKS)
    return row


def main():
    folder = pathlib.Path(__file__).parent
    track = [tool(k * STEP_S) for k in range(ROWS)]
    with open(folder / "tool_track.txt", "w", newline="\n") as file:
        file.write("# x y z of the tool [m], row k at k 0.01 s; made by make_track.py\n")
        for point in track:
            file.write(" ".join(f"{x:.6f}" for x in point) + "\n")
    first = round((LIFT_S + 1) / STEP_S)
    with open(folder / "closed_form.csv", "w", newline="\n") as file:
        file.write("# step, time_s, fx, fy, fz [N], 0, 0, 0, x, y, z of nine links [m]; made by make_track.py\n")
        for step in range(first, ROWS, REFERENCE_EVERY):
            file.write(",".join(f"{x:.6g}" for x in closed_form(step)) + "\n")
    fastest = max(math.dist(a, b) for a, b in zip(track, track[1:])) / STEP_S
    print(f"{ROWS} rows, {TURNS} turns, at most {fastest:.3f} m/s, tension {EA_N * STRAIN:.3f} N")


if __name__ == "__main__":
    main()
