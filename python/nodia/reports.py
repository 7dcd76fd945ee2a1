"""What steps did."""

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True)
class Reports:
    """Of the steps of one `Simulation.step(n)`, a value an environment: arrays of shape (n_env,).

    Statuses and errors are the worst of the n steps (a NaN is worse than any number), iterations and times their
    sum, all else is of the last step. An environment that had failed before keeps the report of the step it failed
    in, with `steps` 0.
    """

    status: np.ndarray  #: converged, iteration_limit, stalled, infeasible, diverged, failed or not_a_number
    reason: np.ndarray  #: in words, where the status does not say it all
    solver: np.ndarray  #: whose answer it is, where `auto` chose
    steps: np.ndarray  #: that the environment took
    iterations: np.ndarray
    n_contact: np.ndarray
    n_stick: np.ndarray
    n_slip: np.ndarray
    time_s: np.ndarray  #: at the end [s]
    relative_residual: np.ndarray  #: of the dynamics [-]
    natural_map_error: np.ndarray  #: of the contacts [-]
    error_estimate: np.ndarray  #: of |v - v_exact|_A / |v|_A; NaN of solvers that make none [-]
    certificate_J: np.ndarray  #: bound of the energy of the error of the velocities [J]
    max_penetration_m: np.ndarray  #: [m]
    kinetic_energy_J: np.ndarray  #: at the end [J]
    potential_energy_J: np.ndarray  #: elastic, gravity and attachments, at the end [J]
    solver_ms: np.ndarray  #: wall time of the solves [ms]

    @property
    def converged(self):
        """bool (n_env,): every step ended within its tolerance."""
        return self.status == "converged"

    def of(self, env):
        """The values of one environment by their names."""
        return {field.name: getattr(self, field.name)[env].item() for field in fields(self)}


def reports_of(columns):
    """@param columns  lists and arrays by name"""
    return Reports(**{name: np.asarray(column) for name, column in columns.items()})
