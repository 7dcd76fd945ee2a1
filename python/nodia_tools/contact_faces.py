"""Finds the faces of a surface that are in contact."""

import numpy as np

SAME_SIDE = np.cos(np.radians(60))  # least cosine between the normals of faces on which the same contact presses


class ContactFaces:
    """The contact state of each face: 0 open, 1 stick, 2 slip.

    A face shows the contact of a vertex if the force on the vertex presses on the face. The edge of a box on a floor is in contact,
    but only the faces of the underside show the contact. A face is open if all contacts are farther away than its longest edge.
    On a sheet, a face also shows the state of the face behind it, because the side in contact may be hidden.
    """

    def __init__(self, trajectory, surface, contacts):
        self._trajectory, self._surface, self._contacts = trajectory, surface, contacts
        self._behind = surface.faces_behind(trajectory.points(0))
        self.seen_through = bool((self._behind >= 0).any())

    def states(self, frame):
        """Contact states of the faces, including those behind a face in contact [n_face]."""
        states = self.pressed(frame)
        through = np.flatnonzero(self._behind >= 0)
        shown = states.copy()
        np.maximum.at(shown, through, states[self._behind[through]])
        np.maximum.at(shown, self._behind[through], states[through])
        return shown

    def pressed(self, frame):
        """Contact states of the faces on which contacts press [n_face]; the other faces are 0."""
        trajectory, surface = self._trajectory, self._surface
        state = np.minimum(trajectory.point_field("contact_state", frame)[surface.nodes], 2).astype(int)
        force = np.asarray(trajectory.point_field("contact_force", frame), float)[surface.nodes]
        touching = (state > 0) & (np.linalg.norm(force, axis=1) > 0)
        if not touching.any():
            return np.zeros(len(surface.faces), int)
        vertices = surface.vertices(trajectory.points(frame))
        on_its_side = _pressed_corners(surface, vertices, force) & touching[surface.faces]
        states = np.where(on_its_side, state[surface.faces], 0).max(axis=1)
        self._drop_far_faces(states, vertices, frame)
        return states

    def _drop_far_faces(self, states, vertices, frame):
        """Sets faces that are far from every contact to open.

        A contact inside a face loads all corners of the face, and these corners belong to other, more distant faces too.
        """
        places = self._contacts.places(frame)
        faces = np.flatnonzero(states)
        if len(places) == 0:
            return
        corners = vertices[self._surface.faces[faces]]
        reach = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
        for rows in np.array_split(np.arange(len(faces)), len(faces) // 256 + 1):
            away = np.linalg.norm(corners[rows].mean(axis=1)[:, None] - places, axis=2).min(axis=1, initial=np.inf)
            states[faces[rows[away > reach[rows]]]] = 0


def _pressed_corners(surface, vertices, force):
    """Whether the force on a corner presses on the face, for each corner of each face [n_face, 3].

    The force presses on the face at the vertex whose normal is most opposed to the force, and on faces with nearly the same normal.
    The direction of the force alone is not sufficient, because friction tilts it.
    """
    normals = surface.face_normals(vertices)
    outward = -force / np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-300)
    alignment = np.einsum("fkx,fx->fk", outward[surface.faces], normals)
    corners = surface.faces.ravel()
    order = np.lexsort((alignment.ravel(), corners))
    last = np.append(corners[order][1:] != corners[order][:-1], True)
    best = np.zeros(len(surface.nodes), int)
    best[corners[order][last]] = order[last] // 3
    same_side = np.einsum("fkx,fx->fk", normals[best[surface.faces]], normals) > SAME_SIDE
    return same_side & (alignment > 0)
