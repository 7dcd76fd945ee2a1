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

UNIT_TOLERANCE = 1e-3  # allowed deviation of a quaternion's length from 1 [-]; the same as in a scenario file


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
        raise _core.InputError("num_envs, seed (must be left out for episodes, which have their own seeds)")
    for k, episode in enumerate(source):
        instance(f"episodes[{k}]", episode, Episode, "Scenario.episode() makes one")
    return list(source)


class Simulation:
    """Independent environments that are stepped together.

    @param source    a Scenario, or a path, YAML text or dictionary of one; or a list of episodes, one per environment
    @param num_envs  number of environments (default: the key `environments`). Environment k has episode k of the seed
    @param seed      seed of the episodes (default: the scenario's seed; if it has none and there are several environments, 0)
    @param threads   maximum number of threads (default: the key `solver.threads`)
    @param backend   processor that runs the contact solver: "auto" (default), "cpu" or "cuda". "auto" selects the CPU unless
                     docs/gpu.md has a measurement of faster steps with this device, solver and size. The results have the same
                     bits on both
    @param device    index of the CUDA device (default 0)
    @param loop      how the GPU runs the solver's loops: "auto" (default), "graph", "launches" or "checked"
    @throws InputError for a bad argument, or if the machine cannot provide the requested backend

    Every reader has an argument `env`, the index of an environment, and returns an array for that environment. Without `env`,
    it returns a copy with an additional first axis over all environments, or raises ValueError if their shapes differ.

    Positions and velocities of one environment are read-only views without a copy, also through `__dlpack__`. A view never
    changes: while views of a state exist, the next step writes into new memory. Read a new view after every step.

    With `on_device`, nodes and velocities are not NumPy arrays. They are in the memory of the device that computes the steps,
    for libraries that import arrays through `__dlpack__` (`torch.from_dlpack(sim.nodes("mat", on_device=True))`). The array
    is a copy that the caller may change. One kernel copies all environments, without a transfer through the host if the state
    is device-resident. The copy is complete when the call returns, so that any stream may use it at once. A simulation on the
    CPU returns the same values in host memory.

    Only one thread at a time may read or step. During a step, which releases the GIL, other threads get RuntimeError. Ctrl-C raises
    KeyboardInterrupt after a completed step, and at once during construction, which then ends in the background and is dropped.
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
    ):
        request = _core.BackendRequest(backend=backend, device=device, loop=loop)
        self._episodes = _episodes(source, num_envs, seed)
        threads = None if threads is None else whole("threads", threads)
        self._core = _core.Simulation([episode._core for episode in self._episodes], threads, request)
        self._commands = Commands(self._core, self._episodes[0].step_s)
        self._reports = None

    def step(self, n=1):
        """Takes n >= 1 steps in every environment. @return Reports of them @throws TypeError, InputError for a bad n"""
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
        """Reports of the last completed call of step(). None before the first call."""
        return self._reports

    @property
    def backend(self):
        """Processor that runs the contact solver: "cpu" or "cuda"."""
        return self._core.backend

    @property
    def backend_because(self):
        """Why `auto` selected this backend, or why it differs from the requested one. Empty if it is the requested one."""
        return self._core.backend_because

    @property
    def num_envs(self):
        return self._core.n_env

    @property
    def episodes(self):
        """Episode from which each environment started."""
        return tuple(self._episodes)

    @property
    def time_s(self):
        """Simulated time of each environment, (n_env,) [s]."""
        return np.array([self._core.time_s(env) for env in self._envs])

    @property
    def steps(self):
        """Number of steps of each environment since its start, (n_env,)."""
        return np.array([self._core.steps(env) for env in self._envs])

    @property
    def failed(self):
        """Whether each environment has failed, bool (n_env,). A failed environment keeps its last finite state."""
        return np.array([self._core.failed(env) for env in self._envs])

    def nodes(self, body, env=None, *, on_device=False):
        """Positions of a soft body's nodes, (n_node, 3) [m]. A view; with `on_device`, a copy on the simulation's device."""
        if on_device:
            return self._core.nodes_on_device(None if env is None else self._number(env), text("body", body))
        return self._read(self._core.nodes, body, env)

    def poses(self, body, env=None):
        """Poses of a rigid body or a compound (n = 1), or of the n links of a cable, (n, 7): centre of mass [m], and
        orientation as a quaternion w, x, y, z. A view."""
        return self._read(self._core.poses, body, env)

    def q(self, robot, env=None):
        """Generalised coordinates of a robot in the order of joints(), (n_joint,) [rad] or [m]. A view."""
        return self._read(self._core.q, robot, env)

    def velocities(self, body, env=None, *, on_device=False):
        """Velocities of a soft body's nodes, (n_node, 3) [m/s]; of a rigid body or a cable's links, (n, 6), linear [m/s] and
        angular [rad/s] in world axes; or of a robot's coordinates, (n_joint,) [rad/s] or [m/s]. A view. With `on_device`,
        for soft bodies only, a copy on the simulation's device."""
        if on_device:
            return self._core.velocities_on_device(None if env is None else self._number(env), text("body", body))
        return self._read(self._core.velocities, body, env)

    def link_poses(self, robot, env=None):
        """Poses of a robot's links in the order of links(), (n_link, 7): origin [m] and quaternion w, x, y, z. A copy."""
        return self._read(self._core.link_poses, robot, env)

    def contacts(self, env=0):
        """Contacts of an environment in its last step. Empty before the first step."""
        env = self._number(env)
        names = tuple(name for name, _ in self._core.objects(env))
        return Contacts(names, **self._core.contacts(env))

    def contact_force(self, body, by=None, env=None):
        """Contact force on an object from the object `by`, or from all others (default), (3,) [N] in the world frame. Mean
        over the last step; zero before the first step."""
        by = None if by is None else text("by", by)
        return self._read(lambda e, name: self._core.contact_force(e, name, by), body, env)

    def sensor(self, name, env=None):
        """Force [N] and torque [N m] on the support of a mount, an attachment or a robot's force sensor, (6,) in world axes.
        Mean over the last step; NaN before the first step. The torque is about the point of a mount, the origin of an
        attachment's frame, or the origin of a force sensor's link frame."""
        return self._read(self._core.sensor, name, env)

    def effort(self, robot, env=None):
        """Efforts of a robot's actuators in the order of joints(), (n_joint,) [N m] or [N]. Mean over the last step; NaN before
        the first step. A copy."""
        return self._read(self._core.effort, robot, env)

    def sensors(self, env=0):
        """Names of the mounts, attachments and force sensors that sensor() reads."""
        return self._core.sensors(self._number(env))

    def objects(self, env=0):
        """Kind of each object of the scene, by name: soft_body, rigid_body, cable, compound, robot or obstacle."""
        return dict(self._core.objects(self._number(env)))

    def joints(self, robot, env=0):
        """Names of a robot's coordinates: joints except mimic joints, and `JOINT.x`, `JOINT.rx` etc. for several axes."""
        return self._core.joints(self._number(env), text("robot", robot))

    def links(self, robot, env=0):
        """Names of a robot's links."""
        return self._core.links(self._number(env), text("robot", robot))

    def tetrahedra(self, body, env=0):
        """Node indices of a soft body's tetrahedra, int (n, 4)."""
        return self._core.tetrahedra(self._number(env), text("body", body))

    def surface(self, body, env=0):
        """Node indices of a soft body's outer faces, int (n, 3). The normals point outwards."""
        return self._core.surface(self._number(env), text("body", body))

    def node_sets(self, body, env=0):
        """Node indices of a soft body's named node sets: int arrays by name."""
        return self._core.node_sets(self._number(env), text("body", body))

    def set_joint_targets(self, robot, targets, env=None, *, reach_s=None):
        """Commands targets of a robot's joint drives, in the order of joint_drives(), (n_drive,) or (num_envs, n_drive)
        [rad] or [m].

        Each target moves linearly to its commanded value by the end of the next step(n), or within reach_s [s], and stays
        there. The command replaces the scenario's paths of these drives. A target that is not finite fails the environment.
        """
        text("robot", robot)
        for e, row in rows_of(targets, "targets", self._chosen(env), self.num_envs).items():
            self._commands.give(e, f"joints {robot}", "set_joint_targets", [robot, row], reach_s)

    def set_pose_target(self, robot, drive, position_m, orientation_wxyz=None, env=None, *, reach_s=None):
        """Commands the target pose of a pose drive's frame, with the rules of set_joint_targets().

        @param drive             name of the drive, or its index in pose_drives()
        @param position_m        (3,) or (num_envs, 3) [m]
        @param orientation_wxyz  unit quaternion, (4,) or (num_envs, 4) (default: the current target's orientation)
        """
        for e in self._chosen(env):
            self._drive(robot, drive, e)

        def now(e):
            return self._core.pose_target(e, robot, self._drive(robot, drive, e))

        for e, row in self._poses(position_m, orientation_wxyz, env, now).items():
            arguments = [robot, self._drive(robot, drive, e), row]
            self._commands.give(e, f"pose {robot} {arguments[1]}", "set_pose_target", arguments, reach_s)

    def set_frame_target(self, name, position_m, orientation_wxyz=None, env=None, *, reach_s=None):
        """Commands the pose of an obstacle, or of the path's frame of a mount or an attachment, with the rules of
        set_joint_targets(). Positions and orientations are those of set_pose_target()."""
        text("name", name)
        rows = self._poses(position_m, orientation_wxyz, env, lambda e: self._core.frame_target(e, name))
        for e, row in rows.items():
            self._commands.give(e, f"frame {name}", "set_frame_target", [name, row], reach_s)

    def set_holding(self, attachment, holds, env=None):
        """Releases an attachment (holds=False), or attaches its nodes at their current positions (holds=True)."""
        text("attachment", attachment)
        for e in self._chosen(env):
            self._core.set_holding(e, attachment, bool(holds))

    def joint_targets(self, robot, env=None):
        """Current targets of a robot's joint drives in the order of joint_drives(), (n_drive,) [rad] or [m]. A copy."""
        return self._read(self._core.joint_targets, robot, env)

    def pose_target(self, robot, drive, env=None):
        """Current target of a pose drive, (7,): position [m] and quaternion w, x, y, z. A copy."""
        return self._read(lambda e, name: self._core.pose_target(e, name, self._drive(name, drive, e)), robot, env)

    def frame_target(self, name, env=None):
        """Current pose of an obstacle, or of the path's frame of a mount or an attachment, (7,), as pose_target(). A copy."""
        return self._read(self._core.frame_target, name, env)

    def joint_drives(self, robot, env=0):
        """Names of the joints that a robot's joint drives move."""
        return self._core.joint_drives(self._number(env), text("robot", robot))

    def pose_drives(self, robot, env=0):
        """Names of a robot's pose drives."""
        return self._core.pose_drives(self._number(env), text("robot", robot))

    def save(self, env=None):
        """A Checkpoint of one environment or of all. It includes everything that affects their next steps, also commands."""
        envs = self._chosen(env)
        waiting = [{moved: list(command) for moved, command in self._commands.waiting[e].items()} for e in envs]
        return Checkpoint([self._core.save(e) for e in envs], waiting)

    def load(self, checkpoint, env=None):
        """Continues from a Checkpoint: of one environment in `env`, or of num_envs environments in all.

        The next steps have the same bits as those after save().
        @throws InputError if the scene or the number of environments differs. The simulation is then unchanged
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
        """Puts an environment at the start of an episode and discards its previous state. Other environments do not change.

        @param episode  Episode with any meshes and values (default: the one from which the environment started)
        @throws InputError if time.step_s, time.theta or the solver differs from those of the simulation
        """
        env = self._number(env)
        if episode is not None:
            instance("episode", episode, Episode, "Scenario.episode() makes one")
        episode = self._episode(env) if episode is None else episode
        self._core.reset(env, episode._core)
        self._episodes[env] = episode
        self._commands.waiting[env] = {}

    def render(self, path=None, *, env=0, size=(960, 720), direction=None):
        """A picture of the current state of an environment, uint8 (height, width, 3).

        The picture is rendered in software, without a screen or a driver, and has the same pixels on every machine.
        @param path       .png file to write (default: none)
        @param size       width and height, from 16 to 8192 each [pixel]
        @param direction  direction of view, (3,), not vertical (default: obliquely from above)
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
        """List with the index `env`, or with all indices if it is None."""
        if env is None:
            return list(self._envs)
        return [self._number(env)]

    def _number(self, env):
        """Checked index of an environment. @throws TypeError, IndexError"""
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
        """Rows of position [m] and quaternion by environment. @param now  function of an environment: its current target"""
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
        """Array of one environment, or of all as one copy. @param reader  function of (environment, name)"""
        text("name", name)
        if env is not None:
            return reader(self._number(env), name)
        arrays = [reader(e, name) for e in self._envs]
        for e, array in enumerate(arrays):
            if array.shape != arrays[0].shape:
                raise ValueError(
                    f"{name}: shape {array.shape} in environment {e}, {arrays[0].shape} in environment 0 "
                    "(must be equal in one array; read each environment with env=)"
                )
        return np.stack(arrays)
