"""Simulations of one or more environments."""

import warnings

import numpy as np

from nodia import _core
from nodia.arguments import MAX_ENVIRONMENTS, MAX_STEPS, instance, text, whole, whole_within
from nodia.checkpoint import Checkpoint
from nodia.commands import Commands, require_width, rows_of
from nodia.contacts import Contacts
from nodia.notices import OverlapWarning
from nodia.reports import reports_of
from nodia.scenario import Episode, Scenario

UNIT_TOLERANCE = 1e-3  # of a quaternion's length; as in a scenario file


def _episodes(source, num_envs, seed):
    if isinstance(source, Episode):
        source = [source]
    if not isinstance(source, Scenario | list | tuple):
        source = Scenario(source)
    if isinstance(source, Scenario):
        n = source.environments if num_envs is None else whole_within("num_envs", num_envs, 1, MAX_ENVIRONMENTS)
        if seed is None and source.seed is None and n > 1:
            seed = 0
        if n == 1:
            return [source.episode(seed)]
        first = source.episode(seed, 0)
        _core.require_memory(first._core, n)
        return [first, *(source.episode(seed, k) for k in range(1, n))]
    if num_envs is not None or seed is not None:
        raise _core.InputError("num_envs, seed (are for a scenario; a list of episodes has its own)")
    for k, episode in enumerate(source):
        instance(f"episodes[{k}]", episode, Episode, "Scenario.episode() makes one")
    return list(source)


class Simulation:
    """Environments that are stepped side by side and share nothing that changes.

    @param source    a Scenario, or what makes one; or episodes, one an environment
    @param num_envs  of a scenario: so many episodes, of (seed, 0), (seed, 1), ...; the key `environments` without it
    @param seed      of them; the scenario's, or 0 for several, without it
    @param threads   at most so many; the key `solver.threads` without it
    @param backend   where the contact solver works: "auto", "cpu" or "cuda"; auto: on a device where the
                     calibration of this machine predicts that it is not slower. Bits are the same on both
    @param device    which CUDA device, from 0; the first without it
    @param loop      on a device: how the solver's loops run there, "auto", "graph", "launches" or "checked"
    @param product   on a device: who multiplies by A in COND's iterations, "ours" or "cusparse"

    What is left out of the last four is as on the command line. @throws InputError where it cannot be had.

    Every reader takes an environment `env`, and gives an array of it; without `env` one more axis in front, over all
    environments, which is a copy and needs equal shapes (ValueError otherwise).

    Positions and velocities of one environment are views: read-only, without a copy, `__dlpack__` included. A view
    shows the moment it was taken, for ever: a simulation that steps on while views of its state live goes on in memory
    of its own. So take views anew after every step; what is kept is history.

    With `on_device` nodes and velocities are not NumPy's: they lie in the memory of the device that takes the steps, for
    libraries that take them by `__dlpack__` (`torch.from_dlpack(sim.nodes("mat", on_device=True))`). A copy that is the
    caller's to change, as of the moment of the call, of all environments by one kernel, and nothing of it goes through
    the host where the state lies there. It is complete when the call returns, so that any stream may use it at once.
    A simulation on the CPU gives the same in the host's memory.

    Only one thread at a time may read or step. While one thread steps (without the GIL), others get RuntimeError. Ctrl-C raises
    KeyboardInterrupt between two steps, after a complete step. While the simulation is constructed, Ctrl-C raises at once; the
    construction then ends in the background and is dropped.
    """

    def __init__(
        self,
        source,
        *,
        num_envs=None,
        seed=None,
        threads=None,
        backend=None,
        device=None,
        loop=None,
        product=None,
    ):
        request = _core.BackendRequest(backend=backend, device=device, loop=loop, product=product)
        self._episodes = _episodes(source, num_envs, seed)
        threads = None if threads is None else whole("threads", threads)
        self._core = _core.Simulation([episode._core for episode in self._episodes], threads, request)
        self._commands = Commands(self._core, self._episodes[0].step_s)
        self._reports = None

    def step(self, n=1):
        """n steps of every environment. @return Reports of them"""
        n = whole("n", n)
        if n > MAX_STEPS:
            raise _core.InputError(f"n = {n} (must be <= {MAX_STEPS}; a number of steps)")
        if n >= 1:
            self._commands.begin(n)
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
    def backend(self):
        """Where the contact solver works: "cpu" or "cuda"."""
        return self._core.backend

    @property
    def backend_because(self):
        """Why `auto` came to it, or why it is not the device that was named; empty where it is as it was named."""
        return self._core.backend_because

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

    def nodes(self, body, env=None, *, on_device=False):
        """Positions of a soft body's nodes, (n_node, 3) [m]. A view; with `on_device` a copy where the steps are
        taken."""
        if on_device:
            return self._core.nodes_on_device(None if env is None else self._number(env), text("body", body))
        return self._read(self._core.nodes, body, env)

    def poses(self, body, env=None):
        """Of a rigid body or a compound (n = 1), of a cable's links (n): (n, 7), the centre of mass [m] and the
        orientation as a quaternion w, x, y, z. A view."""
        return self._read(self._core.poses, body, env)

    def q(self, robot, env=None):
        """Coordinates of a robot in the order of joints(), (n_joint,) [rad] or [m]. A view."""
        return self._read(self._core.q, robot, env)

    def velocities(self, body, env=None, *, on_device=False):
        """Of a soft body's nodes (n_node, 3) [m/s]; of a rigid body or a cable's links (n, 6), linear [m/s] and angular
        [rad/s] in world axes; of a robot's coordinates (n_joint,) [rad/s] or [m/s]. A view; with `on_device`, of a soft
        body, a copy where the steps are taken."""
        if on_device:
            return self._core.velocities_on_device(None if env is None else self._number(env), text("body", body))
        return self._read(self._core.velocities, body, env)

    def link_poses(self, robot, env=None):
        """Of a robot's links in the order of links(), (n_link, 7): origin [m] and quaternion w, x, y, z. A copy."""
        return self._read(self._core.link_poses, robot, env)

    def contacts(self, env=0):
        """Contacts of an environment in its last step; none before the first."""
        env = self._number(env)
        names = tuple(name for name, _ in self._core.objects(env))
        return Contacts(names, **self._core.contacts(env))

    def contact_force(self, body, by=None, env=None):
        """Sum of the contact forces on an object, by another one or by all others, mean over the last step: (3,) [N],
        world frame; zero before the first step."""
        by = None if by is None else text("by", by)
        return self._read(lambda e, name: self._core.contact_force(e, name, by), body, env)

    def sensor(self, name, env=None):
        """Of a mount, an attachment or a robot's force sensor, mean over the last step: (6,), force [N] and torque
        [N m], world axes, of what is held on its holder; NaN before the first step."""
        return self._read(self._core.sensor, name, env)

    def sensors(self, env=0):
        """Names of the sensors."""
        return self._core.sensors(self._number(env))

    def objects(self, env=0):
        """Kinds of the scene's objects by name: soft_body, rigid_body, cable, compound, robot, obstacle."""
        return dict(self._core.objects(self._number(env)))

    def joints(self, robot, env=0):
        """Names of a robot's coordinates: of its joints that move by themselves."""
        return self._core.joints(self._number(env), text("robot", robot))

    def links(self, robot, env=0):
        """Names of a robot's links."""
        return self._core.links(self._number(env), text("robot", robot))

    def tetrahedra(self, body, env=0):
        """int (n, 4) nodes of a soft body's tetrahedra."""
        return self._core.tetrahedra(self._number(env), text("body", body))

    def surface(self, body, env=0):
        """int (n, 3) nodes of a soft body's outer faces, normals outward."""
        return self._core.surface(self._number(env), text("body", body))

    def node_sets(self, body, env=0):
        """Nodes of a soft body's named sets, int arrays by name."""
        return self._core.node_sets(self._number(env), text("body", body))

    def set_joint_targets(self, robot, targets, env=None, *, reach_s=None):
        """Commands a robot's joint drives: targets in the order of joint_drives(), (n_drive,) or (num_envs, n_drive)
        [rad] or [m].

        They are reached linearly by the end of the coming step(n), or within reach_s [s], and held until the next
        command; the scenario's paths of these drives count no more. A target that is not finite fails the environment
        in its next step.
        """
        text("robot", robot)
        for e, row in rows_of(targets, "targets", self._chosen(env), self.num_envs).items():
            self._commands.give(e, f"joints {robot}", "set_joint_targets", [robot, row], reach_s)

    def set_pose_target(self, robot, drive, position_m, orientation_wxyz=None, env=None, *, reach_s=None):
        """Commands a pose drive, by its name or its place in pose_drives(): where its frame is to be, (3,) or
        (num_envs, 3) [m], and (4,) or (num_envs, 4); without an orientation that of its target now. As
        set_joint_targets()."""
        for e in self._chosen(env):
            self._drive(robot, drive, e)

        def now(e):
            return self._core.pose_target(e, robot, self._drive(robot, drive, e))

        for e, row in self._poses(position_m, orientation_wxyz, env, now).items():
            arguments = [robot, self._drive(robot, drive, e), row]
            self._commands.give(e, f"pose {robot} {arguments[1]}", "set_pose_target", arguments, reach_s)

    def set_frame_target(self, name, position_m, orientation_wxyz=None, env=None, *, reach_s=None):
        """Commands the pose of an obstacle, or of the frame of a mount or an attachment along a path: (3,) or
        (num_envs, 3) [m], and (4,) or (num_envs, 4); without an orientation that of its target now. As
        set_joint_targets()."""
        text("name", name)
        rows = self._poses(position_m, orientation_wxyz, env, lambda e: self._core.frame_target(e, name))
        for e, row in rows.items():
            self._commands.give(e, f"frame {name}", "set_frame_target", [name, row], reach_s)

    def set_holding(self, attachment, holds, env=None):
        """Lets an attachment go, or lets it take hold of its nodes where they are."""
        text("attachment", attachment)
        for e in self._chosen(env):
            self._core.set_holding(e, attachment, bool(holds))

    def joint_targets(self, robot, env=None):
        """Where a robot's joint drives pull now, in the order of joint_drives(), (n_drive,) [rad] or [m]. A copy."""
        return self._read(self._core.joint_targets, robot, env)

    def pose_target(self, robot, drive, env=None):
        """Where a pose drive pulls now, (7,): position [m] and quaternion w, x, y, z. A copy."""
        return self._read(lambda e, name: self._core.pose_target(e, name, self._drive(name, drive, e)), robot, env)

    def frame_target(self, name, env=None):
        """Where an obstacle, or the frame of a mount or an attachment along a path, is now, (7,): position [m] and
        quaternion w, x, y, z. A copy."""
        return self._read(self._core.frame_target, name, env)

    def joint_drives(self, robot, env=0):
        """Names of the joints that a robot's joint drives pull at."""
        return self._core.joint_drives(self._number(env), text("robot", robot))

    def pose_drives(self, robot, env=0):
        """Names of a robot's pose drives."""
        return self._core.pose_drives(self._number(env), text("robot", robot))

    def save(self, env=None):
        """A Checkpoint of one environment, or of all: what their next steps depend on, commands included."""
        envs = self._chosen(env)
        waiting = [{moved: list(command) for moved, command in self._commands.waiting[e].items()} for e in envs]
        return Checkpoint([self._core.save(e) for e in envs], waiting)

    def load(self, checkpoint, env=None):
        """Goes on from a Checkpoint: of one environment into `env`, or of as many as there are into all.

        The steps from there have the bits of those from the save. @throws InputError where the scene is another;
        nothing has changed then
        """
        envs = self._chosen(env)
        instance("checkpoint", checkpoint, Checkpoint, "Checkpoint.read and Checkpoint.from_bytes make one")
        if len(checkpoint) != len(envs):
            raise _core.InputError(
                f"checkpoint of {len(checkpoint)} environments (must be of {len(envs)}; env=K loads it into one of them)"
            )
        before = [self._core.save(e) for e in envs] if len(envs) > 1 else []
        for k, e in enumerate(envs):
            try:
                self._core.load(e, checkpoint._environments[k])
            except _core.InputError:
                for back, kept in zip(envs[:k], before):
                    self._core.load(back, kept)
                raise
        for k, e in enumerate(envs):
            self._commands.waiting[e] = {moved: tuple(command) for moved, command in checkpoint._waiting[k].items()}

    def reset(self, env, episode=None):
        """Puts an environment at the start of an episode, its own without one; nothing of before counts, other
        environments are not touched. The episode may have other meshes and values; time.step_s, time.theta and the
        solver are those of the simulation."""
        env = self._number(env)
        if episode is not None:
            instance("episode", episode, Episode, "Scenario.episode() makes one")
        episode = self._episode(env) if episode is None else episode
        self._core.reset(env, episode._core)
        self._episodes[env] = episode
        self._commands.waiting[env] = {}

    def render(self, path=None, *, env=0, size=(960, 720), direction=None):
        """A picture of an environment as it is now: uint8 (height, width, 3); written to `path`, a .png, where given.

        Drawn in software: needs no screen, no driver, and gives the same pixels everywhere.
        @param direction  of view, (3,); by itself from above and aside
        """
        from nodia.live_picture import picture_of
        from nodia.png import write_png

        picture = picture_of(self._core, self._number(env), size, direction)
        if path is not None:
            write_png(path, picture)
        return picture

    def _repr_png_(self):
        from nodia.png import encode

        return encode(self.render(size=(640, 480)))

    def __repr__(self):
        return f"<nodia.Simulation of {self._episodes[0].name!r}, {self.num_envs} environments>"

    def _chosen(self, env):
        """Numbers of the environments that `env` means."""
        if env is None:
            return list(self._envs)
        return [self._number(env)]

    def _number(self, env):
        """@throws TypeError, IndexError for what is no number of an environment"""
        env = whole("env", env)
        if not 0 <= env < self.num_envs:
            raise IndexError(f"env = {env} (must be in [0, {self.num_envs}))")
        return env

    def _episode(self, env):
        return self._episodes[self._number(env)]

    def _drive(self, robot, drive, env):
        names = self._core.pose_drives(env, text("robot", robot))
        if isinstance(drive, str):
            if not names:
                raise _core.InputError(f"drive = {drive} (must be a pose drive of robot '{robot}', which has none)")
            if drive not in names:
                raise _core.InputError(f"drive = {drive} (must be one of {', '.join(names)})")
            return names.index(drive)
        return whole("drive", drive)

    def _poses(self, position_m, orientation_wxyz, env, now):
        """Rows of seven by environment. @param now  pose of an environment's target"""
        envs = self._chosen(env)
        positions = rows_of(position_m, "position_m", envs, self.num_envs)
        require_width(positions, "position_m", 3)
        if orientation_wxyz is None:
            return {e: row + now(e)[3:].tolist() for e, row in positions.items()}
        orientations = rows_of(orientation_wxyz, "orientation_wxyz", envs, self.num_envs)
        require_width(orientations, "orientation_wxyz", 4)
        for row in orientations.values():
            length = np.linalg.norm(row)
            if np.isfinite(length) and abs(length - 1) > UNIT_TOLERANCE:
                raise _core.InputError(f"orientation_wxyz = {row} (must be of unit length within {UNIT_TOLERANCE})")
        return {e: row + orientations[e] for e, row in positions.items()}

    @property
    def _envs(self):
        return range(self.num_envs)

    def _read(self, reader, name, env):
        """@param reader  of (environment, name)"""
        text("name", name)
        if env is not None:
            return reader(self._number(env), name)
        arrays = [reader(e, name) for e in self._envs]
        for e, array in enumerate(arrays):
            if array.shape != arrays[0].shape:
                raise ValueError(
                    f"{name}: shape {array.shape} in environment {e}, {arrays[0].shape} in environment 0 "
                    "(no one array holds both; read them with env=)"
                )
        return np.stack(arrays)
