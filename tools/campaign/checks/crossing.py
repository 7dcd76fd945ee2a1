"""Crossings: a body that comes through another within a step, and a cable that comes through a cable.

A step of a fast body is cut into parts in which no point moves by more than a quarter of the thickness of the other body. Bound: a depth
of two fifths of that thickness. A sound contact stops at the surface, and a point on a straight path that cuts a corner stays above this.
A path that begins and ends outside is at most half as deep as it is long, so that shorter ways than twice the bound are not tested.

Two segments of cables cross if they are in one plane at a moment of the step and meet there.
"""

import numpy as np

from campaign.checks.overlap import apart, deepest, pair_name
from campaign.findings import Finding
from campaign.solids import CableSolid, pairs_of

SHARE_OF_THICKNESS = 0.4
PARTS = 64  # of a step, at most


def find(recording):
    found = []
    for a, b in pairs_of(recording):
        if isinstance(a, CableSolid) and isinstance(b, CableSolid):
            continue
        found += _passages(recording, a, b)
    cables = recording.cables
    for k, first in enumerate(cables):
        for second in cables[k + 1 :]:
            found += _cable_crossings(recording, first, second)
    return found


def _passages(recording, a, b):
    if not np.isfinite(b.size) or not len(a.surface(a.at(0, 0))):
        return []
    found = []
    bound = max(SHARE_OF_THICKNESS * b.size, 1.05 * deepest(a, b, 0, 0))
    way = a.moved + b.moved
    parts = np.clip(np.ceil(4 * way / b.size), 1, PARTS).astype(int)
    for frame in np.flatnonzero(way > 2 * SHARE_OF_THICKNESS * b.size):
        if apart(_swept(a, frame), _swept(b, frame)):
            continue
        for part in range(1, parts[frame]):
            value = deepest(a, b, frame, part / parts[frame])
            if value > bound:
                found.append(Finding("crossing", int(frame) + 1, pair_name(a, b), value, bound, "m"))
                break
    return found


def _swept(solid, frame):
    """Box around a solid at both ends of a step."""
    return solid.boxes[frame : frame + 2, 0].min(axis=0), solid.boxes[frame : frame + 2, 1].max(axis=0)


def _cable_crossings(recording, first, second):
    found = []
    for frame in range(recording.n_step):
        x = recording.points[frame : frame + 2, first.points]
        y = recording.points[frame : frame + 2, second.points]
        n = segment_crossings(x[0], x[1], y[0], y[1])
        if n:
            name = " and ".join(sorted((first.name, second.name)))
            found.append(Finding("crossing", frame + 1, name, float(n), 0.0, "segments"))
    return found


def segment_crossings(x0, x1, y0, y1):
    """How many pairs of segments of two polylines cross while the polylines move from x0, y0 to x1, y1."""
    i, j = _near_segments(x0, x1, y0, y1)
    if not len(i):
        return 0
    corners = [(x0[i], x1[i]), (x0[i + 1], x1[i + 1]), (y0[j], y1[j]), (y0[j + 1], y1[j + 1])]

    def at(share):
        return [(1 - share) * a + share * b for a, b in corners]

    def side(share):
        p, q, r, s = at(share)
        return np.einsum("nd,nd->n", np.cross(q - p, s - r), r - p)

    shares = np.linspace(0, 1, 9)
    sides = np.array([side(share) for share in shares])
    positive = sides > 0
    crossed = np.zeros(len(i), bool)
    for k in range(8):
        rows = np.flatnonzero(positive[k] != positive[k + 1])
        low, high = np.full(len(i), shares[k]), np.full(len(i), shares[k + 1])
        for _ in range(40 if len(rows) else 0):
            middle = (low + high) / 2
            same = (side(middle[:, None]) > 0) == positive[k]
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        p, q, r, s = (corner[rows] for corner in at(((low + high) / 2)[:, None]))
        crossed[rows] |= _meet(p, q, r, s)
    return int(crossed.sum())


def _near_segments(x0, x1, y0, y1):
    def box(start, end):
        corners = np.stack([start[:-1], start[1:], end[:-1], end[1:]])
        return corners.min(axis=0), corners.max(axis=0)

    (xl, xh), (yl, yh) = box(x0, x1), box(y0, y1)
    return np.nonzero(np.all((xl[:, None] <= yh) & (yl <= xh[:, None]), axis=2))


def _meet(p, q, r, s):
    """Whether segments p q and r s, which are in one plane, have a common point."""
    u, v, w = q - p, s - r, r - p
    normal = np.cross(u, v)
    size = np.maximum(np.einsum("nd,nd->n", normal, normal), 1e-300)
    along_u = np.einsum("nd,nd->n", np.cross(w, v), normal) / size
    along_v = np.einsum("nd,nd->n", np.cross(w, u), normal) / size
    return (along_u >= 0) & (along_u <= 1) & (along_v >= 0) & (along_v <= 1)
