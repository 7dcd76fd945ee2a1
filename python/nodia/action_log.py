"""Action logs: files of actions over time, which `task.policy` may name."""

import numpy as np

from nodia import _core
from nodia.arguments import cannot_be_written, path_text, real_array, shown


def read_action_log(path, task):
    """Actions of the control steps of an episode, (actions_per_episode, n), in the task's units.

    @param task  nodia.policy.Task
    @throws InputError `file:line: ...`
    """
    _require_task(task)
    return _core.read_action_log(path_text("path", path), task.components, task.control_hz, task.actions_per_episode)


def write_action_log(path, task, actions):
    """Writes the actions of the first control steps of an episode, (steps, n), in the task's units.

    The text of each number reads back to the same bits.

    @param task  nodia.policy.Task, for example the `task` of an environment of nodia.gym
    @throws InputError for another shape or a number that is not finite; RuntimeError if the file cannot be written
    """
    _require_task(task)
    path = path_text("path", path)
    wanted = len(task.components)
    rows = real_array("actions", actions, f"must be numbers, (steps, {wanted})")
    if rows.ndim != 2 or rows.shape[1] != wanted or not len(rows):
        raise _core.InputError(f"actions: shape {rows.shape} (must be (steps, {wanted}), at least one step)")
    if not np.isfinite(rows).all():
        step, k = np.argwhere(~np.isfinite(rows))[0]
        raise _core.InputError(
            f"actions: {task.components[k]} = {rows[step, k]} in step {step} (must be finite; a log has numbers)"
        )
    lines = [",".join(["time_s", *task.components])]
    lines += [",".join(map(repr, [step / task.control_hz, *row])) for step, row in enumerate(rows.tolist())]
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join([*lines, ""]))
    except OSError as error:
        raise cannot_be_written(path, error) from None


def _require_task(task):
    if not hasattr(task, "components"):
        raise TypeError(f"task = {shown(task)} (must be nodia.policy.Task, as `task` of an environment of nodia.gym)")
