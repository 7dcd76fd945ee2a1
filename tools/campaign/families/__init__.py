"""Families: scenes with one kind of contact each, whose right answer is known.

A family has KINDS and sample(draw, kind), which returns a Case. The checks of its scene hold the answer, or a second scene gives it.
"""

from campaign.families import cables, meshes, seams, thin
from campaign.families.case import Case
from campaign.sampling import SampledScene
from campaign.sampling.draw import Draw

FAMILIES = {"seams": seams, "thin": thin, "cables": cables, "meshes": meshes}


def sample_case(family, seed, index) -> Case:
    """Case `index` of a seed; it depends on these alone, and the kinds take turns."""
    module = FAMILIES[family]
    kind = module.KINDS[index % len(module.KINDS)]
    case = module.sample(Draw(seed, index), kind)
    head = {"name": f"{family}_{kind}_{seed}_{index}"}
    case.scene = SampledScene(head["name"], family, {**head, **case.scenario}, case.files)
    return case
