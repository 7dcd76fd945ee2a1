"""One scene: run, judged, and summed up in a line of results.jsonl."""

from campaign.checks import judge
from campaign.execute import run_file, write_scene
from campaign.recording import Recording, Unjudged

CPU_LIMIT_S = 60  # a scene of the middle takes 0.3 s


def judged(scene, index, directory, cpu_limit_s=CPU_LIMIT_S):
    """Runs a sampled scene in a folder, and judges its trajectory.

    @return the line of results.jsonl: `verdict` is one of
      sound       no message, no finding
      silent      no message, but findings: a silent wrong run
      reported    the program reported a fault; findings are listed
      rejected    the program rejected the scene
      crashed, timeout, unjudged
    """
    outcome = run_file(write_scene(scene, directory), directory / "run", cpu_limit_s)
    line = {"index": index, "name": scene.name, "kind": scene.kind, "exit_code": outcome.exit_code, "seconds": outcome.seconds}
    line |= {"look_at": outcome.look_at, "verdict": outcome.how, "findings": [], "message": ""}
    if outcome.how in ("rejected", "crashed", "timeout"):
        return line | {"message": outcome.message}
    # That a body turns far in a step excuses no wrong result.
    silent = outcome.how == "completed" and set(outcome.look_at) <= {"turn", "effort_limit"}
    try:
        findings = judge(Recording(directory / "run"))
    except Unjudged as reason:
        return line | {"verdict": "unjudged" if silent else "reported", "message": str(reason).split(": ", 1)[-1]}
    line["findings"] = [finding.record() for finding in findings]
    if not silent:
        return line | {"verdict": "reported"}
    return line | {"verdict": "silent" if findings else "sound"}


def failure_kinds(line):
    """Kinds of failure of a scene: the failed checks of a silent wrong run, or how it ended; empty if the program did its duty."""
    if line["verdict"] == "silent":
        return sorted({finding["check"] for finding in line["findings"]})
    return [line["verdict"]] if line["verdict"] in ("crashed", "timeout", "rejected", "unjudged", "wrong") else []
