"""Contacts that carry force, from the list of a trajectory: where they are, and how they share the force."""

import numpy as np

from nodia_tools.command_line import warn

LEAST_SHARE = 0.01  # of the contact force on a body: contacts below have no mark
WHOLE_SHARE = 0.9  # of the force between two bodies: a single contact that carries more is reported
SEVERAL = 4  # contacts with force: fewer are natural between rigid bodies, or at the lowest point of a round one
N_SAMPLE = 200  # frames that uneven_pairs() reads


class ContactList:
    """@param step_s  time step of the run [s], 0 if unknown"""

    def __init__(self, trajectory, surface, step_s=0.0):
        self._trajectory, self._surface, self._step_s = trajectory, surface, step_s
        self._mobile = np.array([body["kind"] != "obstacle" for body in trajectory.bodies], bool)
        self._read = None, None  # frame and its contacts

    def places(self, frame):
        """Where contacts with force are at the end of the frame's step [n, 3]; none in a file without a list."""
        return self._closed(frame)[0]

    def marks(self, frame):
        """Places of those that carry more than LEAST_SHARE of the contact force on a body [n, 3]. Obstacles do not count."""
        places, force, bodies = self._closed(frame)
        total = np.bincount(bodies.ravel(), np.repeat(force, 2), len(self._mobile))
        share = np.where(self._mobile[bodies], force[:, None] / total[bodies], 0).max(axis=1)
        return places[share > LEAST_SHARE]

    def uneven_pairs(self):
        """Sentences about pairs of bodies with several contacts, one of which carries nearly all, in most frames."""
        found = {}  # pair: for each frame the number of contacts, the share of one, and the time
        for frame in np.unique(np.linspace(0, len(self._trajectory) - 1, N_SAMPLE).astype(int)):
            _, force, bodies = self._closed(frame)
            pairs = np.sort(bodies, axis=1)
            for pair in np.unique(pairs, axis=0):
                forces = force[(pairs == pair).all(axis=1)]
                if len(forces) >= SEVERAL:
                    time_s = self._trajectory.times[frame]
                    found.setdefault(tuple(pair), []).append((len(forces), forces.max() / forces.sum(), time_s))
        for pair, rows in found.items():
            uneven = [row for row in rows if row[1] > WHOLE_SHARE]
            if 2 * len(uneven) > len(rows):
                n, share, time_s = max(uneven, key=lambda row: row[1])
                first, second = (self._trajectory.bodies[body]["name"] for body in pair)
                yield f"one of {n} contacts carries {100 * share:.0f} % of the force between {first} and {second} (at {time_s:.3g} s)"

    def _closed(self, frame):
        """Places [n, 3], norms of the forces [N] and the two bodies [n, 2] of contacts with force."""
        if self._read[0] != frame:
            self._read = frame, self._contacts_with_force(frame)
        return self._read[1]

    def _contacts_with_force(self, frame):
        columns = self._trajectory.contacts(frame)
        if not columns:
            return np.zeros((0, 3)), np.zeros(0), np.zeros((0, 2), int)
        force = np.linalg.norm(columns["force"], axis=1)
        closed = force > 0
        bodies = np.stack([columns["body_i"], columns["body_j"]], axis=1).astype(int)
        return self._at_the_end(columns["position"][closed], frame), force[closed], bodies[closed]

    def _at_the_end(self, places, frame):
        """A file has places at the start of a step. Those on the surface move with its nearest vertex."""
        surface, trajectory = self._surface, self._trajectory
        if self._step_s == 0 or len(surface.faces) == 0 or len(places) == 0:
            return places
        end = surface.vertices(trajectory.points(frame))
        way = self._step_s * np.asarray(trajectory.point_field("velocity", frame), float)[surface.nodes]
        reach = surface.longest_edge(end)
        moved = places.copy()
        for rows in np.array_split(np.arange(len(places)), len(places) // 256 + 1):
            away = np.linalg.norm(places[rows][:, None] - (end - way), axis=2)
            nearest = away.argmin(axis=1)
            moved[rows] += np.where(away.min(axis=1)[:, None] < reach, way[nearest], 0)
        return moved


def report_uneven_pairs(trajectory, surface):
    """Prints a warning for each of ContactList.uneven_pairs()."""
    for sentence in ContactList(trajectory, surface).uneven_pairs():
        warn(f"warning: {sentence}")
