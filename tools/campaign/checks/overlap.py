"""Overlaps: points on the surface of a body, along its edges and on its faces, that lie inside another body.

Bound: 5 % of the smallest thickness of the two, or the depth at the start if that is more. Contact bodies touch, so a sound depth is
zero but for the solver's tolerance and for flat facets of a soft body on a round shape: they may lie deeper than
their vertices by the sagitta of the longest edge, L^2/8R.
"""

import numpy as np

from campaign.findings import Finding
from campaign.solids import pairs_of

SHARE = 0.05
FRAMES = 60  # frames that are tested at most, evenly spaced, the last included


def find(recording):
    found = []
    last = len(recording.times) - 1
    frames = np.unique(np.linspace(0, last, min(FRAMES, last + 1)).round().astype(int))
    for a, b in pairs_of(recording):
        if not len(a.surface(a.at(0, 0))):
            continue
        at_start = deepest(a, b, 0, 0)
        bound = max(SHARE * min(a.size, b.size), 1.05 * at_start)
        for frame in frames[1:]:
            if apart(a.boxes[frame], b.boxes[frame]):
                continue
            value = deepest(a, b, int(frame), 0)
            if value > bound:
                found.append(Finding("overlap", int(frame), pair_name(a, b), value, bound, "m"))
    return found


def pair_name(a, b):
    return " and ".join(sorted((a.name, b.name)))


def apart(box, other):
    """Whether two boxes (lower corner, upper corner) have no common point."""
    return bool(np.any(box[0] > other[1]) or np.any(other[0] > box[1]))


def deepest(a, b, frame, share):
    """Largest depth of the surface of `a` in `b` at a frame, or at a share of the way to the next one."""
    state_a, state_b = a.at(frame, share), b.at(frame, share)
    depth = b.depth(state_b, a.surface(state_a), a.margin) + a.margin - b.sag(state_b, a.radius)
    depth[a.n_vertex :] -= a.sag(state_a, b.radius)
    return max(float(depth.max()), 0.0)
