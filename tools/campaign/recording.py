"""A run in memory: its scene from config.yaml, its motion from the trajectory, its sensors from steps.csv."""

import csv
from pathlib import Path

import numpy as np
import trimesh
from nodia_tools.trajectory import open_trajectory

from campaign import bodies, elasticity
from campaign.scene_text import load, number, vector


class Unjudged(Exception):
    """The run does not record what the checker needs."""


class Recording:
    """Arrays over all frames; frame 0 is the start, frame k the end of step k."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.scene = load((self.directory / "config.yaml").read_text(encoding="utf-8"))
        time = self.scene.get("time") or {}
        self.step_s, self.theta = number(time, "step_s", 0.01), number(time, "theta", 1)
        self.gravity = vector(self.scene, "gravity_m_s2", (0, 0, -9.81))
        self._read_motion(open_trajectory(self.directory))
        self._read_steps()
        self._read_bodies()
        self._elastic = {}

    @property
    def n_step(self):
        return len(self.times) - 1

    def group(self, name):
        return self.scene.get(name) or {}

    def _read_motion(self, trajectory):
        n = len(trajectory)
        self.times = trajectory.times
        if n < 2 or not np.allclose(np.diff(self.times), self.step_s, rtol=1e-6):
            raise Unjudged(f"{self.directory}: does not record every step (output.every_steps must be 1)")
        self.points = np.array([trajectory.points(k) for k in range(n)])
        self.velocity = np.array([trajectory.point_field("velocity", k) for k in range(n)])
        poses = [trajectory.poses(k) for k in range(n)]
        self.position = np.array([p for p, _ in poses])
        self.orientation = np.array([q for _, q in poses])
        self.contacts = [trajectory.contacts(k) for k in range(n)]
        self.tets, self.cables_of_points = trajectory.cells(), trajectory.cables()
        self.frames, self.contact_bodies = trajectory.frames, trajectory.bodies
        finite = [np.isfinite(a).all() for a in (self.points, self.velocity, self.position, self.orientation)]
        if not all(finite):
            raise Unjudged(f"{self.directory}: the trajectory has values that are not finite")

    def _read_steps(self):
        with open(self.directory / "steps.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))[: self.n_step]
        if len(rows) < self.n_step:
            raise Unjudged(f"{self.directory}: steps.csv has fewer steps than the trajectory")
        self.steps = rows

    def column(self, name):
        """A column of steps.csv [n_step]."""
        return np.array([float(row[name]) for row in self.steps])

    def sensor(self, name):
        """Force [n_step, 3] and torque [n_step, 3] of a sensor: by what is held on what holds it."""
        force = [self.column(f"{name}_f{axis}_N") for axis in "xyz"]
        torque = [self.column(f"{name}_t{axis}_Nm") for axis in "xyz"]
        return np.stack(force, axis=1), np.stack(torque, axis=1)

    def mesh_of(self, shape):
        """Vertices and triangles of a shape that is a mesh; None of others."""
        if shape["shape"] != "mesh":
            return None
        mesh = trimesh.load_mesh(self.directory / shape["file"])
        scale = np.array(shape.get("scale", [1, 1, 1]), float)
        return np.asarray(mesh.vertices) * scale, np.asarray(mesh.faces)

    def _pose(self, kind, name, entry):
        """Index of the pose of an object, and its shapes; a mesh has the file of its entry."""
        for index, frame in enumerate(self.frames):
            if (frame["kind"], frame["name"]) == (kind, name):
                return index, [{"file": entry.get("file")} | shape for shape in frame["shapes"]]
        raise Unjudged(f"{self.directory}: records no pose of {name}")

    def _read_bodies(self):
        self.soft = self._soft_bodies()
        self.cables = [
            bodies.cable(name, entry, slice(points.min(), points.max() + 1))
            for (name, entry), points in zip(self.group("cables").items(), self.cables_of_points, strict=True)
        ]
        self.rigid = [
            bodies.rigid_body(name, entry, *self._pose("rigid_body", name, entry), self.mesh_of)
            for name, entry in self.group("rigid_bodies").items()
        ]
        self.rigid += [
            bodies.compound(name, entry, *self._pose("compound", name, entry)) for name, entry in self.group("compounds").items()
        ]
        self.obstacles = [
            bodies.Obstacle(name, *self._pose("obstacle", name, entry), entry) for name, entry in self.group("obstacles").items()
        ]
        self.robots = []
        for name, entry in self.group("robots").items():
            links = {f["name"]: k for k, f in enumerate(self.frames) if f["kind"] == "robot_link" and f["robot"] == name}
            self.robots.append(bodies.Robot(name, links, entry))

    def _soft_bodies(self):
        entries = self.group("bodies")
        if not entries:
            return []
        n = self.tets.max() + 1
        part = bodies.connected(self.tets, n) if len(entries) > 1 else np.zeros(n, int)
        if part.max() + 1 != len(entries) or np.any(np.diff(part) < 0):
            raise Unjudged(f"{self.directory}: cannot tell which nodes belong to which of several soft bodies")
        found = []
        for k, (name, entry) in enumerate(entries.items()):
            rows = np.flatnonzero(part == k)
            points = slice(rows[0], rows[-1] + 1)
            tets = self.tets[part[self.tets[:, 0]] == k] - points.start
            found.append(bodies.soft_body(name, entry, points, self.points[0, points], tets))
        return found

    def elastic(self, body):
        """Elastic energy [n_frame] and virial [n_frame] of a soft body."""
        if body.name not in self._elastic:
            values = [elasticity.energy_and_virial(body, x) for x in self.points[:, body.points]]
            self._elastic[body.name] = np.array(values).T
        return self._elastic[body.name]

    def contact_index(self, name):
        return [body["name"] for body in self.contact_bodies].index(name)

    def contact_forces(self, name, frame):
        """Contact forces on a body at the end of a step: places [n, 3], forces [n, 3]."""
        contacts = self.contacts[frame]
        index = self.contact_index(name)
        i, j = contacts["body_i"] == index, contacts["body_j"] == index
        sign = i.astype(float) - j
        rows = i | j
        return contacts["position"][rows], sign[rows, None] * contacts["force"][rows]

    def holders(self, body):
        """Mounts and attachments that hold a body: pairs of name and entry."""
        groups = {**self.group("mounts"), **self.group("attachments")}
        return [(name, entry) for name, entry in groups.items() if entry["body"] == body]

    def release_frame(self, holder):
        """The first frame from which on a holder no longer holds; the number of frames if it holds to the end."""
        time = number(holder, "release_time_s", np.inf)
        return int(np.searchsorted(self.times, time - 1e-9 * self.step_s))

    def push(self, body):
        """Mean force of the pushes of a body in every step [n_step, 3]."""
        force = np.zeros((self.n_step, 3))
        begin = self.times[:-1]
        for entry in self.group("pushes").values():
            if entry["body"] != body:
                continue
            first = number(entry, "from_s")
            last = first + number(entry, "duration_s")
            span = np.clip(np.minimum(begin + self.step_s, last) - np.maximum(begin, first), 0, None)
            force += (span / self.step_s)[:, None] * vector(entry, "force_N")
        return force
