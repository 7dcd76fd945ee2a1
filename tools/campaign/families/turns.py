"""Quaternions w, x, y, z as lists."""

import math


def product(a, b):
    w, x, y, z = a
    u, p, q, r = b
    return [
        w * u - x * p - y * q - z * r,
        w * p + x * u + y * r - z * q,
        w * q - x * r + y * u + z * p,
        w * r + x * q - y * p + z * u,
    ]


def turn(axis, angle):
    """Rotation about a coordinate axis."""
    q = [math.cos(angle / 2), 0.0, 0.0, 0.0]
    q[1 + "xyz".index(axis)] = math.sin(angle / 2)
    return q
