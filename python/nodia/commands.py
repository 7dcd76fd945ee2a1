"""Commanded targets that the next call of step() reaches at its end."""

from nodia._core import InputError
from nodia.arguments import number, real_array, shown


class Commands:
    """Commands since the last step, by environment.

    give() passes a command to the simulation at once, with the duration of one step. If the next call takes several steps,
    begin() repeats the command with their total duration.
    """

    def __init__(self, core, step_s):
        self._core, self._step_s = core, step_s
        self.waiting = [{} for _ in range(core.n_env)]  # method and arguments, by environment and moved object

    def give(self, env, moved, method, arguments, reach_s):
        """Commands a target.

        @param moved    name of the moved object. A newer command replaces an older one of the same name
        @param method   name of the command's function in nodia._core.Simulation
        @param reach_s  time until the target is reached [s]; None: the duration of the next call of step()
        """
        getattr(self._core, method)(env, *arguments, self._step_s if reach_s is None else number("reach_s", reach_s))
        if reach_s is None:
            self.waiting[env][moved] = (method, arguments)
        else:
            self.waiting[env].pop(moved, None)

    def begin(self, n):
        """Repeats the commands for a call of n steps. The call has to follow."""
        for env, commands in enumerate(self.waiting):
            if n > 1:
                for method, arguments in commands.values():
                    getattr(self._core, method)(env, *arguments, n * self._step_s)
            commands.clear()


def rows_of(values, name, envs, n_env):
    """One row of numbers per environment.

    @param values  (n,), the same for each of `envs`, or (n_env, n) if `envs` has all environments
    @return lists by environment
    @throws InputError for another shape
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
