"""Reports of steps."""

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True)
class Reports:
    """Reports of one call of `Simulation.step(n)`: arrays with one value per environment, shape (n_env,).

    Statuses, errors and the penetration are the worst of the n steps (a NaN is worse than any number). Iterations and
    `solver_ms` are sums over the steps. All other values are those of the last step. An environment that failed in an earlier
    call has the report of the step in which it failed, with `steps`, `iterations` and `solver_ms` 0.
    """

    status: np.ndarray  #: converged, iteration_limit, stalled, infeasible, diverged, failed or not_a_number
    reason: np.ndarray  #: text that explains the status; may be empty
    solver: np.ndarray  #: name of the solver that computed the solution, if `auto` selected it; otherwise empty
    steps: np.ndarray  #: number of steps that the environment took
    iterations: np.ndarray  #: number of iterations of the contact solver
    n_contact: np.ndarray  #: number of contacts
    n_stick: np.ndarray  #: number of sticking contacts
    n_slip: np.ndarray  #: number of slipping contacts
    time_s: np.ndarray  #: simulated time at the end [s]
    relative_residual: np.ndarray  #: residual of the dynamics [-]
    natural_map_error: np.ndarray  #: natural-map error of the contacts [-]
    error_estimate: np.ndarray  #: estimate of |v - v_exact|_A / |v|_A; NaN if the solver does not compute it [-]
    certificate_J: np.ndarray  #: upper bound of the energy (h/2) |v - v_exact|_A^2 of the velocity error [J]
    max_penetration_m: np.ndarray  #: largest penetration at the end of a step [m]
    kinetic_energy_J: np.ndarray  #: kinetic energy at the end [J]
    potential_energy_J: np.ndarray  #: elastic, gravitational and attachment energy at the end [J]
    solver_ms: np.ndarray  #: wall time of the solves [ms]

    @property
    def converged(self):
        """Whether every step of an environment satisfied its tolerance, bool (n_env,)."""
        return self.status == "converged"

    def of(self, env):
        """Dictionary of the values of one environment."""
        return {field.name: getattr(self, field.name)[env].item() for field in fields(self)}


def reports_of(columns):
    """Reports of columns. @param columns  lists or arrays (n_env,) by name"""
    return Reports(**{name: np.asarray(column) for name, column in columns.items()})
