"""Momentum of every body in every step, and the motion of its centre of mass.

    m (v_next - v)/h  =  m g + contact forces + forces of holders + pushes + constant forces - damping

Contact forces are recorded at every contact, forces of mounts and attachments in steps.csv. Soft bodies, cables, rigid bodies and
compounds are judged in every step. Not judged are
  * robots: no file records the force on their base
  * soft bodies while a robot's link holds an attachment of them: steps.csv has the force at the link's place after the step, but the
    solver's force is that of the link's velocity. Where the link turns, they differ by the curvature of its path times the stiffness

Bound of the missing force: a tenth of the weight, or of the largest of the acting forces if that is larger. A solver that
stops at its default tolerance of 1e-3 stays 100 times below. Without gravity, the bound is at least a hundredth of sqrt(2 m K)/h, with K
the kinetic energy of all bodies: ten times the error that the default tolerance allows, which is one in the norm of the energy.

Velocities of rigid bodies are differences of positions. Where a body rebounds within a step, its position moves otherwise, and the
velocity of that step is wrong by as much as that of the next one is in the other direction. In scenes with restitution, the missing
force of a step is therefore the smallest sum over up to six steps in a row that contain it and a contact: an impulse that no force
explains is in all of these sums.

The centre of a soft body or a cable must move by h v: a bound of 1e-6 of the motion and of 1e-12 of the coordinates allows for rounding.
"""

import numpy as np

from campaign.findings import Finding
from campaign.motion import can_rebound, centre_velocities, kinetic_energy, touches
from campaign.scene_text import vector

SHARE = 0.1
SHARE_OF_MOMENTUM = 0.01
LONGEST_SUM = 6  # steps
ROUNDING = 1e-12  # relative, of sums of some thousand doubles


def find(recording):
    found = []
    for body in [*recording.soft, *recording.cables]:
        mass = body.mass
        velocity = np.einsum("n,fnd->fd", mass, recording.velocity[:, body.points]) / mass.sum()
        centre = np.einsum("n,fnd->fd", mass, recording.points[:, body.points]) / mass.sum()
        found += _wrong_motion(recording, body.name, centre, velocity)
        found += _missing_force(recording, body, mass.sum(), velocity, centre)
    for body in recording.rigid:
        velocity = centre_velocities(recording, body)
        found += _missing_force(recording, body, body.mass, velocity, recording.position[:, body.pose], can_rebound(recording))
    return found


def _v_hat(recording, velocity):
    return recording.theta * velocity[1:] + (1 - recording.theta) * velocity[:-1]


def _wrong_motion(recording, name, centre, velocity):
    moved, expected = np.diff(centre, axis=0), recording.step_s * _v_hat(recording, velocity)
    error = np.linalg.norm(moved - expected, axis=1)
    bound = 1e-6 * np.linalg.norm(expected, axis=1) + ROUNDING * np.abs(centre).max()
    return _findings(name, error, bound, "m")


def acting_forces(recording, body, mass, velocity):
    """Forces on a body without its weight, in every step: a list of arrays [n_step, 3]."""
    contact = [recording.contact_forces(body.name, k)[1].sum(axis=0) for k in range(1, len(recording.times))]
    forces = [np.array(contact), recording.push(body.name)]
    forces += [-recording.sensor(name)[0] for name, _ in recording.holders(body.name)]
    forces.append(np.broadcast_to(vector(body.entry, "force_N"), (recording.n_step, 3)))
    v_hat = _v_hat(recording, velocity)
    if hasattr(body, "mass_damping"):
        forces.append(-body.mass_damping * mass * v_hat)
    if hasattr(body, "drag"):
        forces.append(-body.drag * len(body.mass) * v_hat)
    return forces


def _least_sum(missing, touches):
    """The smallest sum of the missing forces of consecutive steps that contain each step [n_step, 3].

    A sum has at most LONGEST_SUM steps, and contains a step in which the body touches something, or is that of one step.
    """
    total = np.vstack([np.zeros((1, 3)), np.cumsum(missing, axis=0)])
    least = missing.copy()
    for length in range(2, LONGEST_SUM + 1):
        for first in range(len(missing) - length + 1):
            steps = slice(first, first + length)
            if not touches[steps].any():
                continue
            of_steps = total[first + length] - total[first]
            smaller = np.linalg.norm(least[steps], axis=1) > np.linalg.norm(of_steps)
            least[steps][smaller] = of_steps
    return least


def _missing_force(recording, body, mass, velocity, centre, rebounds=False):
    h, weight = recording.step_s, mass * recording.gravity
    forces = acting_forces(recording, body, mass, velocity)
    missing = mass * np.diff(velocity, axis=0) / h - weight - sum(forces)
    if rebounds:
        # The weighted mean with the step before: the displacement of an impact changes only two of these.
        theta = recording.theta
        missing = theta * missing + (1 - theta) * np.vstack([np.zeros((1, 3)), missing[:-1]])
        missing = _least_sum(missing, touches(recording, body))
    scale = np.max([np.linalg.norm(force, axis=1) for force in forces], axis=0)
    if np.any(weight):
        scale = np.maximum(scale, np.linalg.norm(weight))
    else:
        momentum = np.sqrt(2 * mass * kinetic_energy(recording))
        scale = np.maximum(scale, SHARE_OF_MOMENTUM / SHARE * np.maximum(momentum[1:], momentum[:-1]) / h)
    rounding = ROUNDING * mass * np.abs(centre).max() / h**2
    judged = ~_held_by_robots(recording, body)
    return _findings(body.name, judged * np.linalg.norm(missing, axis=1), SHARE * scale + rounding, "N")


def _held_by_robots(recording, body):
    """Steps in which a robot's link holds an attachment of the body [n_step]."""
    held = np.zeros(recording.n_step, bool)
    for entry in recording.group("attachments").values():
        if entry["body"] == body.name and entry.get("robot"):
            held[: recording.release_frame(entry)] = True
    return held


def _findings(name, value, bound, unit):
    steps = np.flatnonzero(~(value <= bound))
    return [Finding("momentum", int(k) + 1, name, float(value[k]), float(bound[k]), unit) for k in steps]
