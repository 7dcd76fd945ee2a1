"""A whole campaign: scene by scene, with a line of results each, and the reduced scenes of failures."""

import json
import shutil

from campaign.execute import write_scene
from campaign.families import FAMILIES, sample_case
from campaign.families.case import judged_case
from campaign.findings import Finding
from campaign.judged import failure_kinds, judged
from campaign.reduce import reduced
from campaign.report import summary
from campaign.sampling import sample
from campaign.variants import judged_variant


def _write_failure(folder, scene, line):
    """A reduced scene with what fails in it, as a scenario with its files."""
    directory = folder / "failures" / scene.name
    path = write_scene(scene, directory)
    found = ["# " + Finding(**finding).text() for finding in line["findings"]]
    head = [f"# {line['verdict']}: scene {line['index']} of the campaign, reduced", *found]
    path.write_text("\n".join(head) + "\n" + path.read_text(encoding="utf-8"), encoding="utf-8")


def _sampled(folder, settings, index):
    scene = sample(settings["seed"], index)
    work = folder / "work"
    line = judged(scene, index, work / scene.name)
    if failure_kinds(line):
        _write_failure(folder, *reduced(scene, line, work / "reduced"))
    shutil.rmtree(work)
    return line


def _of_family(folder, settings, index):
    case = sample_case(settings["what"], settings["seed"], index)
    line = judged_case(case, index, folder / "work")
    if failure_kinds(line):
        path = write_scene(case.scene, folder / "failures" / case.scene.name)
        path.write_text(f"# {line['verdict']}: {line['message']}\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    return line


def run_campaign(folder, settings, lines, results):
    """Runs the scenes that have no line yet, appends their lines to the file `results`, and prints the summary.

    @return exit code: 1 if a scene failed
    """
    one = _of_family if settings["what"] in FAMILIES else _sampled if settings["what"] == "scenes" else judged_variant
    known = {line["index"] for line in lines}
    with open(results, "a", encoding="utf-8") as file:
        for index in range(settings["count"]):
            if index in known:
                continue
            line = one(folder, settings, index)
            file.write(json.dumps(line) + "\n")
            file.flush()
            lines.append(line)
            print(f"{index:4} {line['name']:24} {line['verdict']:9} {' '.join(failure_kinds(line))}", flush=True)
    print("\n".join(summary(lines)))
    return 1 if any(failure_kinds(line) for line in lines) else 0
