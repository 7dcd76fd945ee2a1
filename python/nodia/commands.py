"""Targets that are to be reached by the end of the coming call of step()."""

from nodia._core import InputError
from nodia.arguments import number, real_array, shown


class Commands:
    """What was commanded since the last step, by environment.

    A command takes effect at once, as if one step came; a call of several steps gives it again, with their time.
    """

    def __init__(self, core, step_s):
        self._core, self._step_s = core, step_s
        self.waiting = [{} for _ in range(core.n_env)]  # by environment: reader's name and arguments, by what they move

    def give(self, env, moved, method, arguments, reach_s):
        """@param reach_s  None: the time of the coming call of step()"""
        getattr(self._core, method)(env, *arguments, self._step_s if reach_s is None else number("reach_s", reach_s))
        if reach_s is None:
            self.waiting[env][moved] = (method, arguments)
        else:
            self.waiting[env].pop(moved, None)

    def begin(self, n):
        """n steps come."""
        for env, commands in enumerate(self.waiting):
            if n > 1:
                for method, arguments in commands.values():
                    getattr(self._core, method)(env, *arguments, n * self._step_s)
            commands.clear()


def rows_of(values, name, envs, n_env):
    """One row of numbers an environment.

    @param values  (n,) for every one of `envs`, or (n_env, n) where they are all
    @return lists by environment
    """
    given, values = values, real_array(name, values)
    if values.ndim == 2 and len(envs) == n_env and len(values) == n_env:
        return {env: values[env].tolist() for env in envs}
    if values.ndim == 1:
        return {env: values.tolist() for env in envs}
    found = f"{name} = {shown(given)}" if values.ndim == 0 else f"{name}: shape {values.shape}"
    raise InputError(f"{found} (must be (n,), the same for every environment, or ({n_env}, n) without env)")


def require_width(rows, name, width):
    for row in rows.values():
        if len(row) != width:
            raise InputError(f"{name} = {row} (must be {width} numbers)")
