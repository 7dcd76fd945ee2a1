"""The faces of a surface on which contacts press."""

import numpy as np

SAME_SIDE = np.cos(np.radians(60))  # between normals of faces that a contact presses on


class ContactFaces:
    """The contact state of each face: 0 open, 1 stick, 2 slip.

    A face shows the contact of a vertex if the force on the vertex presses on the face. An edge of a box that lies on a floor is in
    contact, and shows it on the underside alone. A face farther than its longest edge from every contact shows none.
    On a sheet, the face behind one in contact shows its state too, because the side in contact may be the one that is hidden.
    """

    def __init__(self, trajectory, surface, contacts):
        self._trajectory, self._surface, self._contacts = trajectory, surface, contacts
        self._behind = surface.faces_behind(trajectory.points(0))
        self.seen_through = bool((self._behind >= 0).any())

    def states(self, frame):
        """[n_face]"""
        states = self.pressed(frame)
        through = np.flatnonzero(self._behind >= 0)
        shown = states.copy()
        np.maximum.at(shown, through, states[self._behind[through]])
        np.maximum.at(shown, self._behind[through], states[through])
        return shown

    def pressed(self, frame):
        """States of the faces that are in contact themselves [n_face]."""
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
        """A contact within a face moves all its corners, whose other faces reach further."""
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
    """Of each face's corners, whether the force on the vertex presses on the face [n_face, 3].

    That is the face at the vertex which the force meets most directly, and those that have nearly its normal. Friction turns the
    force, so its direction alone does not decide.
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
