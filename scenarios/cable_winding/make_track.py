"""Writes tool_track.txt, the path of the arm's tool in cable_winding: it stretches the cable and winds it on a helix.

A cable of length L leaves the cylinder at the angle BETA. With the strain STRAIN and the winding angle phi, without
slip, its end is
  tool = axis + R e_r(phi) + (L' - s)(cos BETA e_t(phi) + sin BETA e_z) + (z_0 + s sin BETA) e_z
with s = R phi/cos BETA and L' = (1 + STRAIN) L, so its height is constant.

usage: make_track.py        (no packages needed)
"""

import math
import pathlib

STEP_S = 0.01
ROWS = 2001
AXIS_M = (0.53, 0.0, 0.1)  # at the height of the cable's rear end
R_M = 0.022  # cylinder and cable
LENGTH_M = 0.4
BETA = math.radians(45)
STRAIN = 0.03
TURNS = 1.75
STRETCH_S, WIND_S = 1.0, 17.5  # the tool is at rest afterwards


def minimum_jerk(s):
    s = min(max(s, 0.0), 1.0)
    return s**3 * (10 + s * (6 * s - 15))


def tool(time_s):
    length = (1 + STRAIN * minimum_jerk(time_s / STRETCH_S)) * LENGTH_M
    # Horizontal path length along the involute: a phi - R phi^2/2 with a = L' cos BETA.
    a = (1 + STRAIN) * LENGTH_M * math.cos(BETA)
    last = 2 * math.pi * TURNS
    way = (a * last - R_M * last**2 / 2) * minimum_jerk((time_s - STRETCH_S) / WIND_S)
    phi = (a - math.sqrt(a * a - 2 * R_M * way)) / R_M
    free = length - R_M * phi / math.cos(BETA)
    c, s = math.cos(phi), math.sin(phi)
    return (
        AXIS_M[0] + R_M * c - free * math.cos(BETA) * s,
        AXIS_M[1] + R_M * s + free * math.cos(BETA) * c,
        AXIS_M[2] + length * math.sin(BETA),
    )


def main():
    path = pathlib.Path(__file__).with_name("tool_track.txt")
    track = [tool(k * STEP_S) for k in range(ROWS)]
    with open(path, "w", newline="\n") as file:
        file.write("# x y z of the tool [m], row k at k 0.01 s; made by make_track.py\n")
        for point in track:
            file.write(" ".join(f"{x:.6f}" for x in point) + "\n")
    fastest = max(math.dist(a, b) for a, b in zip(track, track[1:])) / STEP_S
    print(f"{ROWS} rows, {TURNS} turns, at most {fastest:.3f} m/s, ends at {track[-1]}")


if __name__ == "__main__":
    main()
