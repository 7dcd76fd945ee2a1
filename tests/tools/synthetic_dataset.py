"""A dataset made without the simulator, laid out as docs/datasets.md says: random numbers, some quarantined."""

import hashlib
import json

import h5py
import numpy as np

REQUEST = """\
format: nodia_dataset
format_version: 1
seed: 7
episodes: {episodes}
block: {block}
build: "0.5.0 abcdef"
cpu_family: "x86-64-v3"
assets: []
scenario:
  format_version: 1
  name: lift
  description: "A gripper takes a ball."
  time: {{step_s: 0.01, duration_s: 0.4}}
  solver: {{solver: newton, stop: energy, tolerance: 1.0e-03, precision: double}}
  robots:
    arm: {{urdf: assets/0.urdf}}
  randomize:
    bodies.ball.youngs_modulus_Pa: {{log_uniform: [20000, 200000]}}
    bodies.ball.friction: [0.4, 1]
  task:
    text: "lift the ball | slowly"
    control_hz: {control_hz}
    action:
      robot: arm
      space: joint_delta
      frame: []
    observe: [ball.nodes, arm.joints, arm.wrist, time]
"""
ACTION = {"names": ["base_x", "finger"], "units": ["m", "m"], "low": [-0.02, 0.03], "high": [0.02, 0.055]}
STATUS = ["converged", "iteration_limit", "stalled", "infeasible", "diverged", "not_a_number", "failed"]
# Unit, names of the last axis, shape.
OBSERVATIONS = {
    "ball.nodes": ("m", ["x", "y", "z"], (5, 3)),
    "arm.joints": ("m,rad", ["base_x", "finger"], (2,)),
    "arm.wrist": ("N,N,N,N m,N m,N m", ["fx", "fy", "fz", "tx", "ty", "tz"], (6,)),
    "time": ("s", ["time"], (1,)),
}


def write_dataset(folder, episodes=6, block=4, control_hz=25, failed=(2,), never_began=(), shapes=None):
    """@param failed       numbers of quarantined episodes, which made half of their steps
    @param never_began  numbers of quarantined episodes without a valid start
    @param shapes       {(episode, observation): shape} that are not those of OBSERVATIONS
    """
    (folder / "blocks").mkdir(parents=True)
    (folder / "dataset.yaml").write_text(REQUEST.format(episodes=episodes, block=block, control_hz=control_hz))
    for number in range(-(-episodes // block)):
        path = folder / f"blocks/{number:06}.h5"
        entries = []
        with h5py.File(path, "w") as file:
            file.attrs.update(format="nodia_block", format_version=1, block=number, control_hz=float(control_hz))
            file.attrs["task"] = np.bytes_("lift the ball | slowly")
            for episode in range(number * block, min(episodes, (number + 1) * block)):
                group = file.create_group(f"episode_{episode:06}")
                cause = "no_valid_start" if episode in never_began else "diverged" if episode in failed else ""
                _write_episode(group, episode, control_hz, cause, shapes or {})
                entries.append({"episode": episode, "sha256": hashlib.sha256(str(episode).encode()).hexdigest()})
        entry = {"format": "nodia_block", "format_version": 1, "block": number, "build": f"0.5.{number}", "episodes": entries}
        entry["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
        write_entry(path.with_suffix(".json"), entry)
    return folder


def write_entry(path, entry):
    """What publishes a block, its own sum at the end."""

    def text():
        return json.dumps(entry, indent=1) + "\n"

    entry["entry_sha256"] = hashlib.sha256(text().encode()).hexdigest()
    path.write_text(text())


def _write_episode(group, episode, control_hz, cause, shapes):
    random = np.random.default_rng(episode)
    n = 0 if cause == "no_valid_start" else 4 if cause else 8 + episode % 3
    group.attrs.update(seed=np.uint64(2**63 + 7), episode=episode, attempt=episode % 2, steps=n, success=int(not cause))
    group.attrs.update(status="failed" if cause else "good", cause=cause, task="lift the ball | slowly")
    group.attrs["drawn"] = json.dumps({"bodies.ball.friction": (40 + episode) / 100})
    if n == 0:
        return

    def put(name, values, unit="", **attributes):
        array = group.create_dataset(name, data=values)
        array.attrs.update(unit=unit, **attributes)

    put("time_s", np.arange(n + 1) / control_hz, "s")
    low, high = np.array(ACTION["low"]), np.array(ACTION["high"])
    action = (low + (high - low) * random.random((n, 2))).astype(np.float32)
    put("action", np.clip(action, low.astype(np.float32), high.astype(np.float32)), **ACTION)
    for name, (unit, names, shape) in OBSERVATIONS.items():
        values = random.normal(size=(n + 1, *shapes.get((episode, name), shape))).astype(np.float32)
        put(f"observation/{name}", values, unit, names=names)
    last = (np.arange(n) == n - 1).astype(np.uint8)
    put("reward", last * float(not cause))
    put("success", last * (not cause))
    put("terminated", last)
    put("truncated", 0 * last)
    put("quality/status", random.integers(0, 2, n).astype(np.uint8), names=STATUS)
    put("quality/relative_residual", 1e-4 * random.random(n))
    put("quality/error_estimate", np.where(np.arange(n) % 2, np.nan, 1e-3 * random.random(n)))
    put("quality/natural_map_error", np.full(n, np.nan))
    put("quality/penetration_m", 1e-6 * random.random(n), "m")
    put("quality/fell_back", random.integers(0, 2, n).astype(np.int32))
    put("quality/clipped", random.integers(0, 2, n).astype(np.int32))
