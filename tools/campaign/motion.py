"""Velocities of bodies and of points of moving frames, from recorded positions."""

import numpy as np

from campaign.poses import rotation_vectors, rotations
from campaign.scene_text import number, vector


def can_rebound(recording):
    """True if rigid bodies can rebound within a step."""
    entries = [entry for group in ("rigid_bodies", "compounds", "obstacles") for entry in recording.group(group).values()]
    return any(number(entry, "restitution", 0) for entry in entries)


def touches(recording, body):
    """Steps in which a body has a contact [n_step]."""
    return np.array([len(recording.contact_forces(body.name, k)[0]) > 0 for k in range(1, len(recording.times))])


def centre_velocities(recording, body):
    """Velocity of the centre of mass of a rigid body at every frame [n_frame, 3].

    Positions move by h v_hat with v_hat = theta v_next + (1 - theta) v.
    """
    moved = np.diff(recording.position[:, body.pose], axis=0) / recording.step_s
    velocity = [vector(body.entry, "velocity_m_s")]
    for v_hat in moved:
        velocity.append((v_hat - (1 - recording.theta) * velocity[-1]) / recording.theta)
    return np.array(velocity)


def angular_velocities(recording, pose):
    """Angular velocity over every step [n_step, 3], world axes."""
    q = recording.orientation[:, pose]
    return rotation_vectors(q[:-1], q[1:]) / recording.step_s


def displacement(recording, pose, step, places):
    """Displacement in a step of points that a frame carries [n, 3].

    @param places  where the points are at the end of the step
    """
    rotation = rotations(recording.orientation[step : step + 2, pose])
    local = (places - recording.position[step + 1, pose]) @ rotation[1]
    return places - (recording.position[step, pose] + local @ rotation[0].T)


def rotational(recording, body):
    """Rotational energy of a rigid body at every frame; at the start from the scene, else from the last two poses."""
    rotation = rotations(recording.orientation[:, body.pose])
    start = vector(body.entry, "angular_velocity_rad_s")
    omega = np.concatenate([[start], angular_velocities(recording, body.pose)])
    local = np.einsum("fji,fj->fi", rotation, omega)
    return 0.5 * np.einsum("fi,ij,fj->f", local, body.inertia, local)


def kinetic_energy(recording):
    """Kinetic energy of all soft bodies, rigid bodies and links of cables, these without their rotation, at every frame [n_frame]."""
    energy = np.zeros(len(recording.times))
    for body in [*recording.soft, *recording.cables]:
        velocity = recording.velocity[:, body.points]
        energy += 0.5 * np.einsum("n,fnd,fnd->f", body.mass, velocity, velocity)
    for body in recording.rigid:
        velocity = centre_velocities(recording, body)
        energy += 0.5 * body.mass * np.einsum("fd,fd->f", velocity, velocity) + rotational(recording, body)
    return energy
