"""Simulations of one or more environments."""

import warnings
from operator import index as whole

import numpy as np

from nodia import _core
from nodia.contacts import Contacts
from nodia.notices import OverlapWarning
from nodia.reports import reports_of
from nodia.scenario import Episode, Scenario


def _episodes(source, num_envs, seed):
    if isinstance(source, Episode):
        source = [source]
    if not isinstance(source, Scenario | list | tuple):
        source = Scenario(source)
    if isinstance(source, Scenario):
        n = source.environments if num_envs is None else whole(num_envs)
        if n < 1:
            raise _core.InputError(f"num_envs = {n} (must be >= 1)")
        if seed is None and source.seed is None and n > 1:
            seed = 0
        return [source.episode(seed, k) for k in range(n)]
    if num_envs is not None or seed is not None:
        raise _core.InputError("num_envs, seed (are for a scenario; a list of episodes has its own)")
    for episode in source:
        if not isinstance(episode, Episode):
            raise TypeError(f"episodes: {type(episode).__name__} (must be nodia.Episode, of Scenario.episode())")
    return list(source)


class Simulation:
    """Environments that are stepped side by side and share nothing that changes.

    @param source    a Scenario, or what makes one; or episodes, one an environment
    @param num_envs  of a scenario: so many episodes, of (seed, 0), (seed, 1), ...; the key `environments` without it
    @param seed      of them; the scenario's, or 0 for several, without it
    @param threads   at most so many; the key `solver.threads` without it

    Every reader takes an environment `env`, and gives an array of it; without `env` one more axis in front, over all
    environments, which is a copy and needs equal shapes (ValueError otherwise).

    Positions and velocities of one environment are views: read-only, without a copy, `__dlpack__` included. A view
    shows the moment it was taken, for ever: a simulation that steps on while views of its state live goes on in memory
    of its own. So take views anew after every step; what is kept is history.

    Readers and steps are for one thread at a time; while one steps (without the GIL), others get RuntimeError. Ctrl-C
    raises KeyboardInterrupt between two steps, the simulation standing at the end of a whole one.
    """

    def __init__(self, source, *, num_envs=None, seed=None, threads=None):
        self._episodes = _episodes(source, num_envs, seed)
        self._core = _core.Simulation([episode._core for episode in self._episodes], threads)
        self._reports = None

    def step(self, n=1):
        """n steps of every environment. @return Reports of them"""
        columns = self._core.step(n)
        for env, text in columns.pop("overlaps"):
            warnings.warn(f"environment {env}: {text}", OverlapWarning, stacklevel=2)
        self._reports = reports_of(columns)
        return self._reports

    @property
    def reports(self):
        """What the last whole call of step() gave; None before the first."""
        return self._reports

    @property
    def num_envs(self):
        return self._core.n_env

    @property
    def episodes(self):
        """What the environments started from."""
        return tuple(self._episodes)

    @property
    def time_s(self):
        """(n_env,) [s]"""
        return np.array([self._core.time_s(env) for env in self._envs])

    @property
    def steps(self):
        """(n_env,) taken since the start."""
        return np.array([self._core.steps(env) for env in self._envs])

    @property
    def failed(self):
        """bool (n_env,): stands still at its last finite state."""
        return np.array([self._core.failed(env) for env in self._envs])

    def nodes(self, body, env=None):
        """Positions of a soft body's nodes, (n_node, 3) [m]. A view."""
        return self._read(self._core.nodes, body, env)

    def poses(self, body, env=None):
        """Of a rigid body or a compound (n = 1), of a cable's links (n): (n, 7), the centre of mass [m] and the
        orientation as a quaternion w, x, y, z. A view."""
        return self._read(self._core.poses, body, env)

    def q(self, robot, env=None):
        """Coordinates of a robot in the order of joints(), (n_joint,) [rad] or [m]. A view."""
        return self._read(self._core.q, robot, env)

    def velocities(self, body, env=None):
        """Of a soft body's nodes (n_node, 3) [m/s]; of a rigid body or a cable's links (n, 6), linear [m/s] and angular
        [rad/s] in world axes; of a robot's coordinates (n_joint,) [rad/s] or [m/s]. A view."""
        return self._read(self._core.velocities, body, env)

    def link_poses(self, robot, env=None):
        """Of a robot's links in the order of links(), (n_link, 7): origin [m] and quaternion w, x, y, z. A copy."""
        return self._read(self._core.link_poses, robot, env)

    def contacts(self, env=0):
        """Contacts of an environment in its last step; none before the first."""
        names = tuple(name for name, _ in self._core.objects(env))
        return Contacts(names, **self._core.contacts(env))

    def contact_force(self, body, by=None, env=None):
        """Sum of the contact forces on an object, by another one or by all others, mean over the last step: (3,) [N],
        world frame; zero before the first step."""
        return self._read(lambda e, name: self._core.contact_force(e, name, by), body, env)

    def sensor(self, name, env=None):
        """Of a mount, an attachment or a robot's force sensor, mean over the last step: (6,), force [N] and torque
        [N m], world axes, of what is held on its holder; NaN before the first step."""
        return self._read(self._core.sensor, name, env)

    def sensors(self, env=0):
        """Names of the sensors."""
        return self._core.sensors(env)

    def objects(self, env=0):
        """Kinds of the scene's objects by name: soft_body, rigid_body, cable, compound, robot, obstacle."""
        return dict(self._core.objects(env))

    def joints(self, robot, env=0):
        """Names of a robot's coordinates: of its joints that move by themselves."""
        return self._core.joints(env, robot)

    def links(self, robot, env=0):
        """Names of a robot's links."""
        return self._core.links(env, robot)

    def tetrahedra(self, body, env=0):
        """int (n, 4) nodes of a soft body's tetrahedra."""
        return self._core.tetrahedra(env, body)

    def surface(self, body, env=0):
        """int (n, 3) nodes of a soft body's outer faces, normals outward."""
        return self._core.surface(env, body)

    def node_sets(self, body, env=0):
        """Nodes of a soft body's named sets, int arrays by name."""
        return self._core.node_sets(env, body)

    def render(self, path=None, *, env=0, size=(960, 720), direction=None):
        """A picture of an environment as it is now: uint8 (height, width, 3); written to `path`, a .png, where given.

        Drawn in software: needs no screen, no driver, and gives the same pixels everywhere.
        @param direction  of view, (3,); by itself from above and aside
        """
        from nodia.live_picture import picture_of
        from nodia.png import write_png

        picture = picture_of(self._core, env, size, direction)
        if path is not None:
            write_png(path, picture)
        return picture

    def _repr_png_(self):
        from nodia.png import encode

        return encode(self.render(size=(640, 480)))

    def __repr__(self):
        return f"<nodia.Simulation of {self._episodes[0].name!r}, {self.num_envs} environments>"

    @property
    def _envs(self):
        return range(self.num_envs)

    def _read(self, reader, name, env):
        """@param reader  of (environment, name)"""
        if env is not None:
            return reader(whole(env), name)
        arrays = [reader(e, name) for e in self._envs]
        for e, array in enumerate(arrays):
            if array.shape != arrays[0].shape:
                raise ValueError(
                    f"{name}: shape {array.shape} in environment {e}, {arrays[0].shape} in environment 0 "
                    "(no one array holds both; read them with env=)"
                )
        return np.stack(arrays)
