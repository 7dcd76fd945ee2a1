"""A case of a family, and its verdict."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field

from campaign.execute import run_file, write_scene
from campaign.recording import Recording
from campaign.sampling import SampledScene

CPU_LIMIT_S = 120


@dataclass
class Case:
    scenario: dict
    files: dict = field(default_factory=dict)
    reference: dict | None = None  # a scenario with the same motion
    difference: Callable | None = None  # (Recording, Recording of the reference) -> what differs, or ""
    scene: SampledScene | None = None


def judged_case(case, index, directory):
    """Runs a case in a folder.

    @return the line of results.jsonl: `verdict` is "sound", "wrong" (a check failed, or the motion differs from the reference's),
      or how a run ended that is neither
    """
    scene = case.scene
    outcome = run_file(write_scene(scene, directory), directory / "run", CPU_LIMIT_S, ["--check"])
    has_ended = outcome.how in ("completed", "failed")
    verdict = ("sound" if outcome.how == "completed" else "wrong") if has_ended else outcome.how
    message = outcome.message if verdict != "sound" else ""
    if has_ended and case.reference:  # the motion alone is judged
        reference = SampledScene(scene.name, scene.kind, {"name": scene.name, **case.reference})
        run_file(write_scene(reference, directory / "reference"), directory / "reference/run", CPU_LIMIT_S)
        message = case.difference(Recording(directory / "run"), Recording(directory / "reference/run"))
        verdict = "wrong" if message else "sound"
    shutil.rmtree(directory)
    line = {"index": index, "name": scene.name, "kind": scene.name.split("_", 1)[1].rsplit("_", 2)[0]}
    return line | {"exit_code": outcome.exit_code, "seconds": outcome.seconds, "verdict": verdict, "findings": [], "message": message}
