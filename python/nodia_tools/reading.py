"""Checks of data from files. A file may be damaged or written by another program; every error becomes an InputError that names it."""

import contextlib

import numpy as np

from nodia_tools.command_line import InputError

LARGEST = 1e12  # largest coordinate or size [m]; larger values overflow in pictures
LARGEST_FORCE = 1e150  # [N]; squares of larger values overflow


@contextlib.contextmanager
def reading(path, complaint):
    """Context that converts every exception to the InputError `path: complaint (reason)`."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path}: {complaint} ({type(error).__name__}{': ' if reason else ''}{reason})") from error


def numbers(values, shape, what, largest=LARGEST):
    """Converts values to a float64 array.

    @raises ValueError  if the array has another shape, or a value is not finite or above `largest`
    """
    result = np.asarray(values, float)
    if result.shape != shape:
        raise ValueError(f"{what} has shape {result.shape} (must be {shape})")
    if not np.all(np.abs(result) <= largest):
        raise ValueError(f"{what} is not finite (must be at most {largest:g})")
    return result


def rotations(values, shape, what):
    """Converts quaternions wxyz to a float64 array, without normalising them.

    @raises ValueError  if a quaternion has length 0, or as numbers()
    """
    wxyz = numbers(values, shape, what)
    if not np.all(np.linalg.norm(wxyz, axis=-1) > 1e-6):
        raise ValueError(f"{what} has a quaternion of length 0 (must be a rotation)")
    return wxyz


def sizes(values, shape, what):
    """Converts lengths to a float64 array.

    @raises ValueError  if a length is not positive, or as numbers()
    """
    result = numbers(values, shape, what)
    if not np.all(result > 0):
        raise ValueError(f"{what} = {result.tolist()} (must be > 0)")
    return result
