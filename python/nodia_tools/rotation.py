"""Rotations as quaternions w, x, y, z."""

import numpy as np


def rotation_matrix(wxyz):
    w, x, y, z = np.asarray(wxyz, float) / np.linalg.norm(wxyz)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def slerp(a, b, share):
    """Interpolates along the shortest great arc from unit quaternion a (share 0) to b (share 1)."""
    cosine = float(np.dot(a, b))
    if cosine < 0:
        b, cosine = -b, -cosine
    if cosine > 1 - 1e-12:
        return a
    angle = np.arccos(cosine)
    return (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle)


def product(p, q):
    """Quaternion of the rotation q followed by p."""
    (a, b, c, d), (e, f, g, h) = p, q
    return np.array(
        [
            a * e - b * f - c * g - d * h,
            a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f,
            a * h + b * g - c * f + d * e,
        ]
    )
