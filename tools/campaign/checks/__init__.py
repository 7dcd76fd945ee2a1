"""Checks of a recording; each is a function `find(recording)` that returns a list of findings."""

from campaign.checks import crossing, effort, energy, momentum, overlap, volume
from campaign.findings import worst

CHECKS = {
    "momentum": momentum.find,
    "energy": energy.find,
    "overlap": overlap.find,
    "crossing": crossing.find,
    "volume": volume.find,
    "effort": effort.find,
}


def judge(recording, names=CHECKS):
    """The worst finding of every check and body."""
    return worst([finding for name in names for finding in CHECKS[name](recording)])
