"""Energy of all soft bodies, rigid bodies, compounds and cables together.

    B = kinetic + elastic + gravitational energy - work of everything that moves by prescription

B must not grow. Robots, moving obstacles, moving holders, pushes and constant forces are outside: their work is force times
displacement of the point where they act.

Rotations and bending of cables, and springs of mounts and attachments, are not recorded. Their energies are zero at the start and never
negative. With them, B without these terms is a lower bound, which is compared with B at the start only. Without them, B is compared with
its least value so far. A rigid body that rebounds within a step moves otherwise than h v, so that its velocity is unknown in that step:
in scenes with restitution, the least value is that of the steps in which no rigid body touches anything.

Bound of the growth: a twentieth of the energy that has been in motion so far: kinetic and elastic energy, span of the gravitational energy,
and work of prescribed motions. Linearised implicit Euler dissipates more than it creates. Four terms are added:
  * the work of penetration recovery: contact force times the depth that a step removes (contact.penetration_recovery)
  * the error of an angular velocity taken from two poses: rotational energy times (angle in a step)^2
  * the height that a body with restitution gains in the step in which it bounces: the end of the impact within the step is not resolved
  * rounding: 1e-9 of the energies, and the energy of a strain of 1e-12, which is some thousand roundings of a coordinate
"""

import numpy as np

from campaign.findings import Finding
from campaign.motion import angular_velocities, can_rebound, displacement, kinetic_energy, rotational, touches
from campaign.poses import rotation_vectors
from campaign.scene_text import number, path_pose, vector

SHARE = 0.05
TURN = 0.01  # rad in a step, up to which the work of a torque is torque times angle, to a hundredth


def find(recording):
    moving, still, work, allowance = _moving(recording), _gravitational(recording), _work(recording), _allowance(recording)
    balance = moving + still - work.sum(axis=0)
    scale = np.maximum.accumulate(moving) + np.maximum.accumulate(still) - np.minimum.accumulate(still)
    scale += np.abs(np.diff(work, axis=1, prepend=0)).sum(axis=0).cumsum()
    rounding = 1e-9 * (np.maximum.accumulate(moving) + np.abs(still).max())
    rounding += sum(body.youngs_modulus * body.volume.sum() * 1e-24 for body in recording.soft)
    bound = SHARE * scale + allowance + rounding
    found = []
    may_rebound = np.zeros(len(recording.times), bool)
    for body in recording.rigid:
        may_rebound[1:] |= touches(recording, body) & can_rebound(recording)
    for first, last in _spans(recording):
        part = balance[first : last + 1]
        known = np.where(may_rebound[first : last + 1], part[0], part)
        growth = part - (part[0] if _has_unknown_terms(recording) else np.minimum.accumulate(known))
        for k in np.flatnonzero(~(growth <= bound[first : last + 1])):
            found.append(Finding("energy", int(first + k), "all bodies", float(growth[k]), float(bound[first + k]), "J"))
    return found


def _spans(recording):
    """First and last frames between which the work of holders is known.

    The work of a holder that turns is not: places of the single springs are not recorded. It ends a span. After the release
    of all holders of a run, the next span begins.
    """
    last, released = len(recording.times) - 1, 0
    turning = np.zeros(recording.n_step, bool)
    for name, entry in {**recording.group("mounts"), **recording.group("attachments")}.items():
        wxyz = _holder_motion(recording, name, entry)[1]
        turning |= np.linalg.norm(rotation_vectors(wxyz[:-1], wxyz[1:]), axis=1) > TURN
        released = max(released, recording.release_frame(entry))
    if not turning.any():
        return [(0, last)]
    spans = [(0, int(np.argmax(turning)))]
    return [*spans, (released, last)] if released < last else spans


def _has_unknown_terms(recording):
    return bool(recording.cables or recording.group("mounts") or recording.group("attachments"))


def _moving(recording):
    """Kinetic and elastic energy at every frame."""
    energy = kinetic_energy(recording)
    for body in recording.soft:
        energy += recording.elastic(body)[0]
    for cable in recording.cables:
        energy += _least_stretch_energy(recording, cable)
    return energy


def _least_stretch_energy(recording, cable):
    """Links are rigid: centres farther apart than a link is long open the joint between them by at least the difference."""
    gaps = np.linalg.norm(np.diff(recording.points[:, cable.points], axis=1), axis=2) - cable.link_length
    gaps = np.clip(gaps - 1e-9 * cable.link_length, 0, None)
    return 0.5 * cable.stretch_stiffness * np.sum(gaps**2, axis=1)


def _gravitational(recording):
    energy = np.zeros(len(recording.times))
    for body in [*recording.soft, *recording.cables]:
        energy -= np.einsum("n,fnd,d->f", body.mass, recording.points[:, body.points], recording.gravity)
    for body in recording.rigid:
        energy -= body.mass * recording.position[:, body.pose] @ recording.gravity
    return energy


def _work(recording):
    """Work since the start, of contacts, holders, and given forces [3, n_frame]."""
    steps = np.array([_work_of_contacts(recording), _work_of_holders(recording), _work_of_given_forces(recording)])
    return np.concatenate([np.zeros((3, 1)), np.cumsum(steps, axis=1)], axis=1)


def _work_of_contacts(recording):
    """Work of robots and obstacles on the bodies, through their contacts, in every step."""
    outside = {body["name"]: body["kind"] for body in recording.contact_bodies if body["kind"] in ("robot", "obstacle")}
    work = np.zeros(recording.n_step)
    for index, body in enumerate(recording.contact_bodies):
        if body["name"] not in outside:
            continue
        poses = _poses_of(recording, body)
        for step in range(recording.n_step):
            contacts = recording.contacts[step + 1]
            for side, other, sign in (("i", "j", -1.0), ("j", "i", 1.0)):
                here = contacts[f"body_{side}"] == index
                here &= np.array([recording.contact_bodies[b]["name"] not in outside for b in contacts[f"body_{other}"]], bool)
                for link in np.unique(contacts[f"link_{side}"][here]):
                    rows = here & (contacts[f"link_{side}"] == link)
                    moved = displacement(recording, poses[link], step, contacts["position"][rows])
                    work[step] += sign * np.sum(contacts["force"][rows] * moved)
    return work


def _poses_of(recording, body):
    if body["kind"] == "obstacle":
        return [next(o.pose for o in recording.obstacles if o.name == body["name"])]
    return list(next(robot.poses.values() for robot in recording.robots if robot.name == body["name"]))


def _work_of_holders(recording):
    work = np.zeros(recording.n_step)
    for name, entry in {**recording.group("mounts"), **recording.group("attachments")}.items():
        position, wxyz = _holder_motion(recording, name, entry)
        force, torque = recording.sensor(name)
        turned = rotation_vectors(wxyz[:-1], wxyz[1:])
        work -= np.einsum("fd,fd->f", force, np.diff(position, axis=0)) + np.einsum("fd,fd->f", torque, turned)
    return work


def _holder_motion(recording, name, entry):
    """Positions [n_frame, 3] and quaternions [n_frame, 4] of the frame that holds."""
    if entry.get("robot"):
        robot = next(robot for robot in recording.robots if robot.name == entry["robot"])
        pose = robot.poses[entry["link"]]
        return recording.position[:, pose], recording.orientation[:, pose]
    if entry.get("track"):
        rows = np.loadtxt(recording.directory / entry["track"])[:, :3]
        rows = rows[np.minimum(np.arange(len(recording.times)), len(rows) - 1)]
        return rows, np.tile([1.0, 0, 0, 0], (len(rows), 1))
    poses = [path_pose(entry, time) for time in recording.times]
    return np.array([p for p, _ in poses]), np.array([q for _, q in poses])


def _work_of_given_forces(recording):
    work = np.zeros(recording.n_step)
    for body in [*recording.soft, *recording.cables]:
        centre = np.einsum("n,fnd->fd", body.mass, recording.points[:, body.points]) / body.mass.sum()
        work += np.einsum("fd,fd->f", recording.push(body.name), np.diff(centre, axis=0))
    for body in recording.rigid:
        force = recording.push(body.name) + vector(body.entry, "force_N")
        work += np.einsum("fd,fd->f", force, np.diff(recording.position[:, body.pose], axis=0))
    return work


def _allowance(recording):
    contact = recording.group("contact")
    share = number(contact, "penetration_recovery", 0.2)
    most = number(contact, "recovery_speed_m_s", 0.5) * recording.step_s
    depth = np.concatenate([[0], recording.column("max_penetration_m")])
    removed = np.minimum(share * depth[:-1], most)
    force = np.array([np.linalg.norm(c["force"], axis=1).sum() for c in recording.contacts[1:]])
    allowed = np.concatenate([[0], np.cumsum(removed * force)])
    for body in recording.rigid:
        angle = np.linalg.norm(angular_velocities(recording, body.pose), axis=1) * recording.step_s
        largest = np.maximum(angle, np.append(angle[1:], 0))
        error = rotational(recording, body)[1:] * largest**2
        allowed[1:] += np.maximum.accumulate(error)
        allowed[1:] += np.cumsum(_gained_in_bounces(recording, body))
    return allowed


def _gained_in_bounces(recording, body):
    """Gravitational energy that a rigid body gains in every step with a contact, in a scene with restitution [n_step]."""
    if not can_rebound(recording):
        return np.zeros(recording.n_step)
    heights = -body.mass * np.diff(recording.position[:, body.pose], axis=0) @ recording.gravity
    return np.where(touches(recording, body), np.clip(heights, 0, None), 0)
