"""Samples scenes. Scene k of a seed depends on seed and k alone, and each kind has every sixth scene."""

from dataclasses import dataclass, field

from campaign.sampling import cable, compound, mesh, rigid, robot, soft
from campaign.sampling.draw import Draw

KINDS = {
    "soft": soft.sample,
    "rigid": rigid.sample,
    "mesh": mesh.sample,
    "compound": compound.sample,
    "cable": cable.sample,
    "robot": robot.sample,
}


@dataclass
class SampledScene:
    """A scenario and the files beside it, by name."""

    name: str
    kind: str
    scenario: dict
    files: dict = field(default_factory=dict)


def sample(seed, index):
    kind = list(KINDS)[index % len(KINDS)]
    draw = Draw(seed, index)
    scenario, files = KINDS[kind](draw)
    head = {"name": f"{kind}_{seed}_{index}", "time": draw.time(), "solver": {"threads": 1}}
    return SampledScene(head["name"], kind, {**head, **scenario}, files)
