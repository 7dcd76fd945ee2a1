"""Variants of the scenario files, in which the checker must find nothing.

The first variants are the files themselves. Each further one has other values: those that the file samples with a seed, or 0.9 to 1.1 times
Young's modulus or friction where the file samples none.
"""

import shutil
from pathlib import Path

from campaign.checks import judge
from campaign.execute import run_file
from campaign.recording import Recording, Unjudged
from campaign.sampling.draw import Draw, rounded
from campaign.scene_text import load

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
NEEDS_PACKAGE = {"panda_grip"}
CPU_LIMIT_S = 600
STEPS = 200  # of a variant, at most


def files():
    return [path for path in sorted(SCENARIOS.glob("*/*.yaml")) if path.stem not in NEEDS_PACKAGE]


def options(path, seed, index):
    """Options of `nodia run` for a variant."""
    if index < len(files()):
        return []
    scene = load(path.read_text(encoding="utf-8"))
    words = ["--steps", str(STEPS)]
    if scene.get("randomize"):
        return [*words, "--seed", str(seed * 1000 + index)]
    draw = Draw(seed, index)
    for group, key in (("bodies", "youngs_modulus_Pa"), ("cables", "youngs_modulus_Pa"), ("rigid_bodies", "friction")):
        for name, entry in scene.get(group, {}).items():
            if key in entry:
                words += ["--set", f"{group}.{name}.{key}={rounded(float(entry[key]) * draw.uniform(0.9, 1.1))}"]
    return words


def judged_variant(folder, settings, index):
    """The line of results.jsonl of variant `index`: as of a sampled scene, but the program's own checks count for nothing."""
    path = files()[index % len(files())]
    work = folder / "work"
    words = options(path, settings["seed"], index)
    outcome = run_file(path, work / path.stem, CPU_LIMIT_S, words)
    line = {"index": index, "name": path.stem, "kind": "variant", "exit_code": outcome.exit_code, "seconds": outcome.seconds}
    line |= {"options": words, "verdict": outcome.how, "findings": [], "message": outcome.message}
    if outcome.how in ("completed", "failed"):
        try:
            line["findings"] = [finding.record() for finding in judge(Recording(work / path.stem))]
            line["verdict"] = "silent" if line["findings"] else "sound"
        except Unjudged as reason:
            line |= {"verdict": "unjudged", "message": str(reason)}
    shutil.rmtree(work)
    return line
