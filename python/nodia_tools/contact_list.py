"""Contacts with force from the contact list of a trajectory: positions, and shares of the force."""

import numpy as np

from nodia_tools.command_line import warn

LEAST_SHARE = 0.01  # least share of the contact force on a body that is marked with a dot
WHOLE_SHARE = 0.9  # share of the force between two bodies above which a single contact is reported
SEVERAL = 4  # least number of contacts with force; fewer are normal between rigid bodies, or at the lowest point of a round body
N_SAMPLE = 200  # number of frames that uneven_pairs() reads


class ContactList:
    """Contacts of the frames of a trajectory.

    @param step_s  time step of the run [s], 0 if unknown
    """

    def __init__(self, trajectory, surface, step_s=0.0):
        self._trajectory, self._surface, self._step_s = trajectory, surface, step_s
        self._mobile = np.array([body["kind"] != "obstacle" for body in trajectory.bodies], bool)
        self._read = None, None  # last frame that was read, and its contacts

    def places(self, frame):
        """Positions of the contacts with force at the end of the frame's step [n, 3] [m]. Empty if the file has no contact list."""
        return self._closed(frame)[0]

    def marks(self, frame):
        """Positions of the contacts that carry more than LEAST_SHARE of the contact force on a body that is not an obstacle [n, 3]."""
        places, force, bodies = self._closed(frame)
        total = np.bincount(bodies.ravel(), np.repeat(force, 2), len(self._mobile))
        share = np.where(self._mobile[bodies], force[:, None] / total[bodies], 0).max(axis=1)
        return places[share > LEAST_SHARE]

    def uneven_pairs(self):
        """Yields a sentence for each pair of bodies of whose several contacts one carries nearly all force in most frames."""
        found = {}  # pair: for each frame (number of contacts, largest share, time [s])
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
        """Positions [n, 3], norms of the forces [n] [N] and the two bodies [n, 2] of the contacts with force."""
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
        """Moves contact positions from the start of the step, as in the file, to its end.

        A contact on the surface moves with the nearest vertex; other contacts do not move.
        """
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
