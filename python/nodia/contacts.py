"""Contacts of one environment in its last step."""

from dataclasses import dataclass

import numpy as np

OPEN, STICK, SLIP = 0, 1, 2


@dataclass(frozen=True)
class Contacts:
    """n pairs of features, closer than the contact margin; world frame. Arrays of its own: they stay.

    Of a robot or a cable, `link_i` and `link_j` number the link.
    """

    names: tuple  #: of the scene's objects; `i` and `j` count in it
    position_m: np.ndarray  #: (n, 3) on i, at the start of the step [m]
    position_on_j_m: np.ndarray  #: (n, 3) on j [m]
    force_N: np.ndarray  #: (n, 3) on i, by j, mean over the step [N]
    normal: np.ndarray  #: (n, 3) unit vector from j to i
    slip_velocity_m_s: np.ndarray  #: (n, 3) of i over j, in the contact plane [m/s]
    state: np.ndarray  #: (n,) OPEN, STICK or SLIP
    i: np.ndarray  #: (n,) object
    j: np.ndarray  #: (n,) object
    link_i: np.ndarray  #: (n,)
    link_j: np.ndarray  #: (n,)

    def __len__(self):
        return len(self.i)

    @property
    def names_i(self):
        """(n,) names of the objects i."""
        return np.array(self.names, object)[self.i]

    @property
    def names_j(self):
        """(n,) names of the objects j."""
        return np.array(self.names, object)[self.j]
