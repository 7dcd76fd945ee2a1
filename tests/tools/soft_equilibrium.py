"""Rest of a co-rotational soft body that a shape presses, by brute force: the reference of test_dents.py.

Shares no code with nodia. Every outer face is sampled with a lattice of 1326 points, 50 intervals per edge; a penalty keeps
each sample outside the shape. Newton's method on the energy, with a line search.
"""

import numpy as np

INTERVALS = 50
TOLERANCE = 1e-3  # of the largest force on a node: samples that enter and leave the shape keep the residual above 1e-5
FACE_NODES = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]


def outer_faces(tets):
    faces = tets[:, FACE_NODES].reshape(-1, 3)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[np.sort(first[count == 1])]


def lattice():
    """Barycentric coordinates, [1326, 3]."""
    i, j = np.meshgrid(np.arange(INTERVALS + 1), np.arange(INTERVALS + 1), indexing="ij")
    inside = i + j <= INTERVALS
    return np.stack([i[inside], j[inside], INTERVALS - i[inside] - j[inside]], axis=1) / INTERVALS


class SoftBody:
    """psi = V (mu |S - I|^2 + lambda/2 tr(S - I)^2) per tetrahedron, F = R S [J]."""

    def __init__(self, rest, tets, youngs_modulus, poissons_ratio):
        self.rest, self.tets = rest, tets
        self.mu = youngs_modulus / (2 * (1 + poissons_ratio))
        self.lam = youngs_modulus * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio))
        edges = (rest[tets[:, 1:]] - rest[tets[:, :1]]).transpose(0, 2, 1)
        inverse = np.linalg.inv(edges)
        self.volume = np.linalg.det(edges) / 6
        self.gradient = np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1)
        g, one = self.gradient, np.eye(3)
        per_volume = self.mu * (np.einsum("tak,tbk,ij->taibj", g, g, one) + np.einsum("taj,tbi->taibj", g, g))
        per_volume += self.lam * np.einsum("tai,tbj->taibj", g, g)
        self.stiffness = self.volume[:, None, None, None, None] * per_volume
        unknown = (3 * tets[:, :, None] + np.arange(3)).reshape(len(tets), 12)
        self.row, self.column = np.repeat(unknown, 12, axis=1).ravel(), np.tile(unknown, (1, 12)).ravel()

    def strain(self, x):
        """R and S - I."""
        deformation = np.einsum("tai,taj->tij", x[self.tets], self.gradient)
        u, _, vt = np.linalg.svd(deformation)
        u[np.linalg.det(u @ vt) < 0, :, 2] *= -1
        rotation = u @ vt
        return rotation, rotation.transpose(0, 2, 1) @ deformation - np.eye(3)

    def energy(self, x):
        _, e = self.strain(x)
        trace = np.trace(e, axis1=1, axis2=2)
        return np.sum(self.volume * (self.mu * np.einsum("tij,tij->t", e, e) + 0.5 * self.lam * trace**2))

    def force_and_stiffness(self, x):
        """Gradient of the energy [N] and the stiffness with fixed rotations [N/m]."""
        rotation, e = self.strain(x)
        trace = np.trace(e, axis1=1, axis2=2)[:, None, None]
        stress = rotation @ (2 * self.mu * e + self.lam * trace * np.eye(3))
        force = np.zeros_like(x)
        np.add.at(force, self.tets, self.volume[:, None, None] * np.einsum("tij,taj->tai", stress, self.gradient))
        turned = np.einsum("tij,tajbk,tlk->taibl", rotation, self.stiffness, rotation)
        matrix = np.zeros((x.size, x.size))
        np.add.at(matrix, (self.row, self.column), turned.ravel())
        return force, matrix


class Samples:
    """The samples of the outer faces that are inside the shape."""

    def __init__(self, body, distance):
        self.faces, self.weights, self.distance = outer_faces(body.tets), lattice(), distance

    def inside(self, x):
        """Nodes [n, 3], weights [n, 3], distances [n] < 0 and outward normals [n, 3] of the shape."""
        corners = x[self.faces]
        middle = corners.mean(axis=1)
        radius = np.linalg.norm(corners - middle[:, None], axis=2).max(axis=1)
        near = np.where(self.distance(middle)[0] < radius)[0]
        points = np.einsum("sw,fwi->fsi", self.weights, corners[near]).reshape(-1, 3)
        depth, normal = self.distance(points)
        hit = np.where(depth < 0)[0]
        return self.faces[near[hit // len(self.weights)]], self.weights[hit % len(self.weights)], depth[hit], normal[hit]


def equilibrium(body, spring, distance, start, penalty):
    """Positions at rest and the force of the shape on the body.

    @param spring    [n_node, 3] stiffness of springs to the rest positions [N/m]
    @param distance  points [n, 3] -> signed distances [n] and outward normals [n, 3] of the shape
    @param penalty   stiffness of each sample [N/m]
    """
    samples, x = Samples(body, distance), start.copy()

    def energy(x):
        depth = samples.inside(x)[2]
        return body.energy(x) + 0.5 * np.sum(spring * (x - body.rest) ** 2) + 0.5 * penalty * np.sum(depth**2)

    lowest = energy(x)
    for _ in range(400):
        residual, matrix = body.force_and_stiffness(x)
        nodes, weights, depth, normal = samples.inside(x)
        push = np.zeros_like(x)
        np.add.at(push, nodes, -penalty * depth[:, None, None] * weights[:, :, None] * normal[:, None, :])
        residual = (residual + spring * (x - body.rest) - push).ravel()
        if np.abs(residual).max() < TOLERANCE * np.abs(push).max():
            return x, push.sum(axis=0)
        rows = np.zeros((len(depth), x.size))
        unknown = (3 * nodes[:, :, None] + np.arange(3)).reshape(len(depth), 9)
        np.add.at(rows, (np.arange(len(depth))[:, None], unknown), (weights[:, :, None] * normal[:, None, :]).reshape(-1, 9))
        step = np.linalg.solve(matrix + np.diag(spring.ravel()) + penalty * rows.T @ rows, -residual)
        slope, share = residual @ step, 1.0
        while (trial := energy(x + share * step.reshape(-1, 3))) > lowest + 1e-4 * share * slope and share > 1e-6:
            share /= 2
        x, lowest = x + share * step.reshape(-1, 3), trial
    raise RuntimeError("the reference does not converge")
