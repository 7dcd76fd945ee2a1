"""Cases of every family of tools/campaign.sh: seams of boards, thin shapes, cables, meshes."""

import campaign_runs  # noqa: F401  (the search path)
import pytest

from campaign.families import FAMILIES, sample_case
from campaign.families.case import judged_case

SEED = 2
CASES = {"seams": 24, "thin": 28, "cables": 20, "meshes": 20}


@pytest.mark.parametrize("family, index", [(family, index) for family, n in CASES.items() for index in range(n)])
def test_a_case_moves_as_it_must(tmp_path, family, index):
    line = judged_case(sample_case(family, SEED, index), index, tmp_path / "case")
    assert line["verdict"] == "sound", line


@pytest.mark.parametrize("family", FAMILIES)
def test_cases_depend_on_seed_and_index_alone_and_kinds_take_turns(family):
    def scene(seed, index):
        return sample_case(family, seed, index).scene

    assert scene(3, 1) == scene(3, 1)
    assert scene(3, 1).scenario != scene(4, 1).scenario
    kinds = FAMILIES[family].KINDS
    assert [kind in scene(3, k).name for k, kind in enumerate(kinds)] == [True] * len(kinds)


def test_a_motion_that_differs_and_a_failed_check_are_wrong(tmp_path):
    """A step of 0.1 mm between the pieces, and a weight that is not carried."""
    seam = next(case for case in (sample_case("seams", SEED, index) for index in range(0, 80, 8)) if len(case.scenario["obstacles"]) > 1)
    for k, piece in enumerate(seam.scenario["obstacles"].values()):
        piece["position_m"][2] -= 1e-4 * k
    line = judged_case(seam, 0, tmp_path / "seam")
    assert line["verdict"] == "wrong" and "height differs by" in line["message"]
    thin = sample_case("thin", SEED, 0)
    thin.scenario["checks"]["carried"]["value_N"] = 20.0
    line = judged_case(thin, 0, tmp_path / "thin")
    assert line["verdict"] == "wrong" and "carried" in line["message"]
