"""Co-rotational linear elasticity of tetrahedra, from node positions.

    F = dx/dX,  F = R S (R a proper rotation),  strain e = S - 1,
    energy = sum over tetrahedra of V (mu e:e + lambda/2 tr(e)^2)
"""

import numpy as np


def strains(body, x):
    """Strains [n_tet, 3, 3] in the frame of the rest shape."""
    edges = np.moveaxis(x[body.tets[:, 1:]] - x[body.tets[:, :1]], -1, -2)
    gradient = edges @ body.inverse
    u, s, vt = np.linalg.svd(gradient)
    sign = np.where(np.linalg.det(u @ vt) < 0, -1.0, 1.0)
    u[:, :, 2] *= sign[:, None]  # the smallest singular value carries the sign of an inverted element
    s[:, 2] *= sign
    return np.einsum("tki,tk,tkj->tij", vt, s, vt) - np.eye(3)


def energy_and_virial(body, x):
    """Elastic energy, and the sum over the nodes of x . f with f the forces against which loads act, positive under tension [J]."""
    lam, mu = body.lame
    e = strains(body, x)
    trace, square = np.trace(e, axis1=1, axis2=2), np.einsum("tij,tij->t", e, e)
    energy = body.volume @ (mu * square + lam / 2 * trace**2)
    virial = body.volume @ ((2 * mu + 3 * lam) * trace + 2 * mu * square + lam * trace**2)
    return float(energy), float(virial)
