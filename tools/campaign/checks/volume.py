"""Volume of soft bodies: their mean stress must carry the loads, so that no volume appears without a load.

For any body, the sum over its nodes of x . f is the same for elastic forces and for what they balance (virial theorem):

    elastic virial (positions)  =  sum x . contact forces - sum m x . (a + alpha v) - viscous virial

The difference over three times the bulk modulus and the volume is a volumetric strain that no load explains. Bound: 1 % in
the mean of ten steps. A body is judged as a whole, and only while nothing holds it: forces of holders on single nodes are not recorded.

No tetrahedron may be inside out for ten steps. While one is, its elastic force is a convention, and the strain is not judged.
"""

import numpy as np

from campaign.findings import Finding

WINDOW = 10  # steps
BOUND = 0.01


def find(recording):
    found = []
    for body in recording.soft:
        first = max([recording.release_frame(entry) for _, entry in recording.holders(body.name)], default=0)
        inverted = inverted_tets(recording, body)[first:]
        strain = unexplained_strain(recording, body)[first:]
        window = min(WINDOW, len(strain))
        for last in range(window, len(strain) + 1 if window else 0):
            rows = slice(last - window, last)
            step, mean = first + last, abs(float(strain[rows].mean()))
            if inverted[rows].min() > 0:
                found.append(Finding("volume", step, body.name, float(inverted[rows].min()), 0.0, "inverted tetrahedra"))
            elif not inverted[rows].any() and not mean <= BOUND:
                found.append(Finding("volume", step, body.name, mean, BOUND, ""))
    return found


def inverted_tets(recording, body):
    """Tetrahedra of negative volume at the end of every step [n_step]."""
    x = recording.points[1:, body.points]
    return np.count_nonzero(np.linalg.det(x[:, body.tets[:, 1:]] - x[:, body.tets[:, :1]]) < 0, axis=1)


def unexplained_strain(recording, body):
    """Volumetric strain at the end of every step that the loads do not explain [n_step]."""
    h = recording.step_s
    points, velocity = recording.points[:, body.points], recording.velocity[:, body.points]
    virial = recording.elastic(body)[1]
    centre = np.einsum("n,fnd->fd", body.mass, points) / body.mass.sum()
    from_centre = points - centre[:, None]
    acceleration = np.diff(velocity, axis=0) / h + body.mass_damping * velocity[1:]
    loads = -np.einsum("n,fnd,fnd->f", body.mass, from_centre[1:], acceleration)
    for k in range(recording.n_step):
        places, forces = recording.contact_forces(body.name, k + 1)
        loads[k] += np.sum((places - centre[k + 1]) * forces)
    viscous = body.stiffness_damping * np.diff(virial) / h
    three_bulk = body.youngs_modulus / (1 - 2 * body.poissons_ratio)
    return (virial[1:] + viscous - loads) / (three_bulk * body.volume.sum())
