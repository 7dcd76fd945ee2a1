"""Rotations and rigid motions of many poses at once."""

import numpy as np


def rotations(wxyz):
    """Rotation matrices [..., 3, 3] of quaternions [..., 4]."""
    w, x, y, z = np.moveaxis(wxyz / np.linalg.norm(wxyz, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def rotation_vectors(before, after):
    """Rotation vectors [..., 3] in world axes that turn the poses `before` into `after`, at most half a turn long."""
    w = np.sum(before * after, axis=-1)
    p, q = before * np.where(w < 0, -1, 1)[..., None], after
    v = p[..., :1] * q[..., 1:] - q[..., :1] * p[..., 1:] - np.cross(q[..., 1:], p[..., 1:])
    sine = np.linalg.norm(v, axis=-1)
    angle = 2 * np.arctan2(sine, np.abs(w))
    return v * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 2)[..., None]


def between(start, end, share):
    """Pose at a share of the way between two poses (position, quaternion); the rotation has constant speed."""
    (p0, q0), (p1, q1) = start, end
    cosine = float(q0 @ q1)
    q1 = -q1 if cosine < 0 else q1
    angle = np.arccos(min(abs(cosine), 1))
    if angle < 1e-9:
        q = (1 - share) * q0 + share * q1
    else:
        q = (np.sin((1 - share) * angle) * q0 + np.sin(share * angle) * q1) / np.sin(angle)
    return (1 - share) * p0 + share * p1, q / np.linalg.norm(q)
