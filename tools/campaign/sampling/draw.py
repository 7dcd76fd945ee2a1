"""Random values of a scene: sizes from 1 mm to 10 m, steps from 1 to 50 ms, 1e3 to 1e9 Pa, speeds up to 20 m/s."""

import numpy as np

LARGEST_SPEED = 20.0
THIN = (0.02, 0.1)  # thickness of thin shapes over their size


def rounded(value):
    """Numbers of a file have six digits."""
    if isinstance(value, np.ndarray | list | tuple):
        return [rounded(x) for x in value]
    return float(f"{value:.6g}")


class Draw:
    """Random values of scene `index` of a seed."""

    def __init__(self, seed, index):
        self._random = np.random.default_rng([seed, index])
        self.size = self.log(1e-3, 10)  # of a typical body [m]
        self.step_s = rounded(self.log(1e-3, 0.05))
        self.n_step = self.whole(20, 60)

    def time(self):
        return {"step_s": self.step_s, "duration_s": rounded(self.n_step * self.step_s)}

    def log(self, low, high):
        return float(np.exp(self._random.uniform(np.log(low), np.log(high))))

    def uniform(self, low, high):
        return float(self._random.uniform(low, high))

    def whole(self, low, high):
        """Both ends included."""
        return int(self._random.integers(low, high + 1))

    def chance(self, share):
        return bool(self._random.random() < share)

    def choice(self, values):
        return values[self._random.integers(len(values))]

    def vector(self, low, high):
        return self._random.uniform(low, high, 3)

    def direction(self):
        v = self._random.normal(size=3)
        return v / np.linalg.norm(v)

    def orientation(self):
        q = self._random.normal(size=4)
        return rounded(q / np.linalg.norm(q))

    def speed(self):
        """At rest, or up to 20 m/s, and up to half a typical size in a step."""
        most = min(LARGEST_SPEED, 0.5 * self.size / self.step_s)
        return 0.0 if self.chance(0.3) else self.log(most / 1000, most)

    def velocity(self):
        """Mostly downward, so that bodies meet."""
        direction = self.direction()
        direction[2] = -abs(direction[2]) - 0.5
        return rounded(self.speed() * direction / np.linalg.norm(direction))

    def friction(self):
        return rounded(self.choice([0.0, self.uniform(0.1, 1), 1.0]))

    def youngs_modulus(self):
        return rounded(self.log(1e3, 1e9))

    def extents(self):
        """Edges of a box: compact, a plate or a rod."""
        edges = self.size * self.vector(0.5, 1)
        thin = {0: [], 1: [2], 2: [1, 2]}[self.choice([0, 0, 1, 2])]
        for axis in thin:
            edges[axis] = self.size * self.log(*THIN)
        return edges

    def floor(self):
        """Mostly a floor, sometimes a pole or a slab, sometimes nothing under the bodies [obstacles by name]."""
        what = self.choice(["floor"] * 4 + ["pole", "slab", "nothing"])
        if what == "nothing":
            return {}
        if what == "floor":
            return {"floor": {"shape": "half_space", "friction": self.friction()}}
        if what == "pole":
            radius = self.size * self.uniform(0.05, 0.3)
            turned = [0.70710678, 0.70710678, 0, 0]  # along y
            pole = {"shape": self.choice(["capsule", "cylinder"]), "radius_m": rounded(radius), "length_m": rounded(4 * self.size)}
            return {"pole": pole | {"orientation_wxyz": turned, "position_m": rounded([0, 0, -radius]), "friction": self.friction()}}
        thickness = self.size * self.uniform(0.05, 0.3)
        size = [2 * self.size, 2 * self.size, thickness]
        slab = {"shape": "box", "size_m": rounded(size), "position_m": rounded([0, 0, -thickness / 2]), "friction": self.friction()}
        if self.chance(0.3):
            rise = self.size * self.uniform(-0.3, 0.3)
            keys = [{"time_s": 0.0, "position_m": slab["position_m"]}]
            end = rounded([0, 0, rise - thickness / 2])
            slab["path"] = [*keys, {"time_s": rounded(0.7 * self.n_step * self.step_s), "position_m": end}]
        return {"slab": slab}


class Stack:
    """Places bodies above each other with gaps, so that none overlap at the start."""

    def __init__(self, draw):
        self._draw, self._top = draw, 0.0

    def place(self, below, above):
        """Position of a body's origin [3].

        @param below, above  how far the body reaches under and over its origin [m]
        """
        draw = self._draw
        gap = draw.size * draw.log(0.005, 0.5)
        z = self._top + gap + below
        self._top = z + above
        x, y, _ = draw.size * draw.vector(-0.25, 0.25)
        return rounded([x, y, z])
