"""Contacts of one environment in its last step."""

from dataclasses import dataclass

import numpy as np

OPEN, STICK, SLIP = 0, 1, 2


@dataclass(frozen=True)
class Contacts:
    """The n contacts of a step: pairs of features that are closer than the contact margin, in the world frame. The arrays are
    copies, which later steps do not change.

    If an object is a robot or a cable, `link_i` and `link_j` are the indices of its links.
    """

    names: tuple  #: names of the scene's objects; `i` and `j` are indices of it
    position_m: np.ndarray  #: (n, 3) contact point on i at the start of the step [m]
    position_on_j_m: np.ndarray  #: (n, 3) contact point on j [m]
    force_N: np.ndarray  #: (n, 3) force of j on i, mean over the step [N]
    normal: np.ndarray  #: (n, 3) unit vector from j to i
    slip_velocity_m_s: np.ndarray  #: (n, 3) velocity of i relative to j in the contact plane [m/s]
    state: np.ndarray  #: (n,) OPEN, STICK or SLIP
    i: np.ndarray  #: (n,) object index
    j: np.ndarray  #: (n,) object index
    link_i: np.ndarray  #: (n,) link index on i
    link_j: np.ndarray  #: (n,) link index on j

    def __len__(self):
        return len(self.i)

    @property
    def names_i(self):
        """Names of the objects i, (n,)."""
        return np.array(self.names, object)[self.i]

    @property
    def names_j(self):
        """Names of the objects j, (n,)."""
        return np.array(self.names, object)[self.j]
