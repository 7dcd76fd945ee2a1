"""Contacts of one environment in its last step."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nodia import _core

OPEN, STICK, SLIP = 0, 1, 2


def _with_columns(cls):
    """Makes a dataclass of `cls` with a field for each column of the compiled part, which its docstring describes."""
    columns = _core.contact_columns()
    cls.__annotations__ = cls.__annotations__ | dict.fromkeys(columns, np.ndarray)
    cls.__doc__ = "\n".join([(cls.__doc__ or "").rstrip(), *(f"    {name}: {text}" for name, text in columns.items())])
    return dataclass(frozen=True)(cls)


@_with_columns
class Contacts:
    """The n contacts of a step: pairs of features that are closer than the contact margin, in the world frame. The arrays are
    copies, which later steps do not change.

    `names` are the names of the scene's objects; `i` and `j` are indices of it. The arrays are:
    """

    names: tuple

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray: ...

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
