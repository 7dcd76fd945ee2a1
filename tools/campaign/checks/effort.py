"""Efforts of joint drives: force or torque that a drive must have given, so that its links moved as recorded under the recorded forces.

    effort = sum over all links that the joint moves of (rate of momentum - contact forces - holders - weight), along the axis

Contact forces on links are recorded with their places. Judged are prismatic and revolute joints with a drive and a limit `effort`,
away from their position limits, whose stops give forces too. Not judged are robots with pose drives or pushes. A joint that others
mimic carries their load too. The limit is one of the whole effort, so that compensated weights count.

Bound: the limit and a tenth of it, and the error of the inertial forces. Rates of momentum are differences over one step, levers and axes
those at its start, so that their relative error is the angle by which a link turns in two steps; a tenth is added for all other errors.
"""

import numpy as np

from campaign.findings import Finding
from campaign.poses import rotation_vectors, rotations
from campaign.urdf import read_urdf

SHARE = 0.1


def find(recording):
    found = []
    for robot in recording.robots:
        drives = robot.entry.get("joint_drives") or {}
        pushed = any(push["body"] == robot.name for push in recording.group("pushes").values())
        if not drives or robot.entry.get("pose_drives") or pushed:
            continue
        links, joints = read_urdf(recording.directory / robot.entry["urdf"])
        loads = _Loads(recording, robot, links)
        for name in drives:
            joint = joints.get(name)
            if joint is None or joint.kind not in ("prismatic", "revolute", "continuous") or not np.isfinite(joint.effort):
                continue
            effort, error, free = _effort(loads, joint, joints)
            bound = (1 + SHARE) * joint.effort + error
            steps = np.flatnonzero(free & ~(np.abs(effort) <= bound))
            unit = "N" if joint.kind == "prismatic" else "N m"
            body = f"{robot.name}.{name}"
            found += [Finding("effort", int(k) + 1, body, float(abs(effort[k])), float(bound[k]), unit) for k in steps]
    return found


class _Loads:
    """Motion and loads of the links of a robot in every step."""

    def __init__(self, recording, robot, links):
        self.recording, self.robot = recording, robot
        h = recording.step_s
        self.position = {name: recording.position[:, pose] for name, pose in robot.poses.items()}
        self.rotation = {name: rotations(recording.orientation[:, pose]) for name, pose in robot.poses.items()}
        self.forces = {name: [] for name in links}  # (force [n, 3], torque about the world's origin [n, 3])
        self.mass, self.centre, self.rates, self.error = {}, {}, {}, {}
        for name, link in links.items():
            pose = robot.poses[name]
            centre = self.position[name] + self.rotation[name] @ link.centre
            velocity = np.diff(centre, axis=0, prepend=centre[:1]) / h
            acceleration = np.diff(velocity, axis=0) / h
            q = recording.orientation[:, pose]
            omega = np.concatenate([np.zeros((1, 3)), rotation_vectors(q[:-1], q[1:]) / h])
            inertia = self.rotation[name] @ link.inertia @ np.swapaxes(self.rotation[name], 1, 2)
            spin = np.diff(np.einsum("fij,fj->fi", inertia, omega), axis=0) / h
            self.mass[name], self.centre[name] = link.mass, centre[:-1]
            self.rates[name] = (link.mass * acceleration, spin)
            self.error[name] = SHARE + h * (np.linalg.norm(omega[1:], axis=1) + np.linalg.norm(omega[:-1], axis=1))
        self._add_contacts(list(robot.poses))
        self._add_holders()

    def _add_contacts(self, names):
        recording = self.recording
        index = recording.contact_index(self.robot.name)
        force = {name: np.zeros((recording.n_step, 3)) for name in names}
        torque = {name: np.zeros((recording.n_step, 3)) for name in names}
        for step in range(recording.n_step):
            contacts = recording.contacts[step + 1]
            for side, sign in (("i", 1.0), ("j", -1.0)):
                for row in np.flatnonzero(contacts[f"body_{side}"] == index):
                    name = names[contacts[f"link_{side}"][row]]
                    force[name][step] += sign * contacts["force"][row]
                    torque[name][step] += sign * np.cross(contacts["position"][row], contacts["force"][row])
        for name in names:
            self.forces[name].append((force[name], torque[name]))

    def _add_holders(self):
        recording = self.recording
        for name, entry in {**recording.group("mounts"), **recording.group("attachments")}.items():
            if entry.get("robot") != self.robot.name:
                continue
            force, torque = recording.sensor(name)
            origin = self.position[entry["link"]][1:]
            self.forces[entry["link"]].append((force, torque + np.cross(origin, force)))

    def needed(self, name, joint, point, axis):
        """Effort along the axis for the motion of a link, and the error of its inertial part."""
        rate, spin = self.rates[name]
        weight = self.mass[name] * self.recording.gravity
        force, torque = rate - weight, spin + np.cross(self.centre[name], rate - weight)
        for loads in self.forces[name]:
            force, torque = force - loads[0], torque - loads[1]
        if joint.kind == "prismatic":
            return np.sum(axis * force, axis=1), self.error[name] * np.linalg.norm(rate, axis=1)
        lever = np.linalg.norm(self.centre[name] - point, axis=1)
        inertial = np.linalg.norm(spin, axis=1) + lever * np.linalg.norm(rate, axis=1)
        return np.sum(axis * (torque - np.cross(point, force)), axis=1), self.error[name] * inertial


def _moved_links(joint, joints):
    """The child of a joint and all links behind it."""
    names = [joint.child]
    for name in names:
        names += [other.child for other in joints.values() if other.parent == name]
    return names


def _coordinate(loads, joint):
    """Position of a joint at every frame [n_frame]."""
    parent, child = loads.rotation[joint.parent], loads.rotation[joint.child]
    start = parent @ joint.rotation
    if joint.kind == "prismatic":
        offset = loads.position[joint.child] - loads.position[joint.parent] - parent @ joint.origin
        return np.einsum("fij,fi,j->f", start, offset, joint.axis)
    turn = np.einsum("fji,fjk->fik", start, child)
    sine = np.stack([turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]], axis=1) @ joint.axis / 2
    return np.unwrap(np.arctan2(sine, (np.trace(turn, axis1=1, axis2=2) - 1) / 2))


def _effort(loads, joint, joints):
    """Effort of the drive, its error, and whether the joint is away from its limits, in every step."""
    effort = error = 0.0
    coupled = [(joint, 1.0)] + [(other, other.multiplier) for other in joints.values() if other.mimics == joint.name]
    free = np.ones(loads.recording.n_step, bool)
    for member, factor in coupled:
        q = _coordinate(loads, member)
        point = loads.position[member.child][:-1]
        axis = loads.rotation[member.child][:-1] @ member.axis
        own = member.damping * np.diff(q) / loads.recording.step_s
        for name in _moved_links(member, joints):
            needed, own_error = loads.needed(name, member, point, axis)
            own, error = own + needed, error + abs(factor) * own_error
        effort = effort + factor * own
        near = 1e-3 * (member.upper - member.lower) if np.isfinite(member.upper - member.lower) else 0.0
        free &= (q[1:] > member.lower + near) & (q[1:] < member.upper - near)
    return effort, error, free
