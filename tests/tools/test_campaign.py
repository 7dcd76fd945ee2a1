"""tools/campaign.sh: its options, its scenes, its 100 scenes with a fixed seed, and variants of scenario files."""

import json
import os
import subprocess

import campaign_runs  # noqa: F401  (the search path)
import jsonschema
import pytest
from nodia_command import SOURCE, needs_nodia

from campaign import reduce
from campaign.judged import CPU_LIMIT_S, failure_kinds, judged
from campaign.report import summary
from campaign.sampling import KINDS, SampledScene, sample
from campaign.variants import files, judged_variant, options

SCRIPT = SOURCE / "tools/campaign.sh"
KNOWN = SOURCE / "tests/tools/campaign_failures.json"
WRITE = "NODIA_WRITE_FAILURES"


def command(*words, cwd=SOURCE):
    return subprocess.run([SCRIPT, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=600)


# Options.


@pytest.mark.parametrize(
    "words, message",
    [
        (["--scenes", "0"], "--scenes = 0 (must be at least 1)"),
        (["--scenes", "many"], "invalid int value: 'many'"),
        (["--seed", "-1"], "--seed = -1 (must be at least 0)"),
        (["--scenes", "1", "--variants", "1"], "--scenes and --variants exclude each other"),
        (["--family", "seam"], "--family = seam (must be one of seams, thin, cables, meshes)"),
        (["--family", "seams", "--variants", "1"], "--variants and --family exclude each other"),
        (["--what"], "unrecognized arguments: --what"),
        (["--out", "."], "--out = . exists (must be a new folder"),
        (["--resume", "."], "--resume = . (must be the folder of a campaign"),
        (["--resume", ".", "--seed", "3"], "--resume takes no other option"),
    ],
)
def test_bad_input_gives_one_line_and_2(tmp_path, words, message):
    done = command(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("campaign: ") and message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_names_every_option():
    done = command("--help")
    assert done.returncode == 0
    for option in ("--scenes", "--family", "--variants", "--seed", "--out", "--resume"):
        assert f"  {option} " in done.stdout


# Scenes.


def test_a_scene_depends_on_seed_and_index_alone():
    assert sample(3, 17) == sample(3, 17)
    assert sample(3, 17).scenario != sample(4, 17).scenario
    assert sample(3, 17).scenario != sample(3, 23).scenario


def test_every_kind_has_a_tenth_of_the_scenes():
    kinds = [sample(5, index).kind for index in range(60)]
    for kind in KINDS:
        assert kinds.count(kind) >= 6


def _values(scenario, key):
    found = [scenario[key]] if key in scenario else []
    for value in scenario.values():
        found += _values(value, key) if isinstance(value, dict) else []
    return found


def test_scenes_span_the_ranges_and_keep_to_them():
    scenes = [sample(6, index).scenario for index in range(600)]
    ranges = {"step_s": (1e-3, 0.05, 0.002, 0.04), "youngs_modulus_Pa": (1e3, 1e9, 1e4, 1e8)}
    for key, (low, high, below, above) in ranges.items():
        values = [value for scene in scenes for value in _values(scene, key)]
        assert low <= min(values) < below and above < max(values) <= high
    speeds = [sum(x * x for x in v) ** 0.5 for scene in scenes for v in _values(scene, "velocity_m_s")]
    assert max(speeds) <= 20.001 and max(speeds) > 10 and min(speeds) == 0
    sizes = [max(size) for scene in scenes for size in _values(scene, "size_m")]
    assert min(sizes) < 2e-3 and max(sizes) > 5


def test_scenes_are_valid_by_the_schema():
    schema = json.loads((SOURCE / "scenarios/schema/scenario.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    for index in range(120):
        scenario = json.loads(json.dumps(sample(7, index).scenario))
        assert [error.message for error in validator.iter_errors(scenario)] == []


# Reduction.


def test_a_reduced_scene_keeps_what_makes_it_fail(monkeypatch, tmp_path):
    """A stand-in for the runs: energy is created where body `b` lies on an obstacle that moves."""

    def stand_in(scene, index, directory):
        scenario = scene.scenario
        fails = "b" in scenario.get("bodies", {}) and "path" in scenario.get("obstacles", {}).get("slab", {})
        findings = [{"check": "energy", "step": 7, "body": "b", "value": 2.0, "bound": 1.0, "unit": "J"}] if fails else []
        return {"index": index, "kind": "soft", "verdict": "silent" if fails else "sound", "findings": findings}

    monkeypatch.setattr(reduce, "judged", stand_in)
    scenario = {
        "name": "scene",
        "time": {"step_s": 0.01, "duration_s": 0.6},
        "bodies": {"a": {"friction": 1}, "b": {"friction": 1, "velocity_m_s": [1, 0, 0]}},
        "attachments": {"grip": {"body": "a"}},
        "obstacles": {"floor": {}, "slab": {"path": [], "friction": 0.5}},
    }
    scene = SampledScene("scene", "soft", scenario)
    smaller, line = reduce.reduced(scene, stand_in(scene, 3, tmp_path), tmp_path)
    assert line["verdict"] == "silent"
    assert smaller.scenario == {
        "name": "scene",
        "time": {"step_s": 0.01, "duration_s": 0.09},
        "bodies": {"b": {}},
        "obstacles": {"slab": {"path": []}},
    }
    assert scene.scenario is scenario and len(scenario["bodies"]) == 2


def test_the_summary_counts_verdicts_and_failed_checks():
    def line(kind, verdict, *checks):
        return {"kind": kind, "verdict": verdict, "findings": [{"check": check} for check in checks]}

    text = summary([line("soft", "silent", "energy", "volume", "energy"), line("soft", "sound"), line("cable", "reported", "energy")])
    assert text[0] == "3 scenes: 1 silent, 1 sound, 1 reported"
    assert text[1].split() == ["soft", "2:", "1", "silent,", "1", "sound"]
    assert text[-1] == "silent wrong runs: 1; failed checks: energy 1, volume 1"


# Whole campaigns.


def _without_seconds(path):
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in path.read_text().splitlines()]


@needs_nodia
def test_an_interrupted_campaign_continues_with_the_same_results(tmp_path):
    whole, resumed = tmp_path / "whole", tmp_path / "resumed"
    done = command("--scenes", "3", "--seed", "2", "--out", whole)
    assert done.returncode in (0, 1) and done.stderr == ""
    resumed.mkdir()
    (resumed / "campaign.json").write_text((whole / "campaign.json").read_text())
    lines = (whole / "results.jsonl").read_text().splitlines(keepends=True)
    (resumed / "results.jsonl").write_text(lines[0] + lines[1] + lines[2][:40])
    assert command("--resume", resumed).returncode == done.returncode
    assert _without_seconds(resumed / "results.jsonl") == _without_seconds(whole / "results.jsonl")
    failed = {line["name"] for line in _without_seconds(whole / "results.jsonl") if failure_kinds(line)}
    assert {path.parent.name for path in whole.glob("failures/*/scene.yaml")} == failed


@needs_nodia
@pytest.mark.parametrize("name", ["box_sliding", "quick_lift"])
def test_nothing_is_found_in_a_variant_of_a_scenario_file(tmp_path, name):
    index = len(files()) + [path.stem for path in files()].index(name)
    assert options(files()[index - len(files())], 1, index)[:2] == ["--steps", "200"]
    line = judged_variant(tmp_path, {"seed": 1}, index)
    assert (line["name"], line["verdict"], line["findings"]) == (name, "sound", [])


def _known():
    return json.loads(KNOWN.read_text())


@needs_nodia
@pytest.mark.parametrize("part", range(10))
def test_no_scene_fails_that_did_not_fail_before(tmp_path, part):
    """Ten of the 100 scenes. campaign_failures.json lists the failures of today; it must not grow, and what no longer fails leaves it.

    `left_out` names the first scenes of the seed that take too much CPU time for this test.
    """
    known = _known()
    indices = [index for index in range(100 + len(known["left_out"])) if str(index) not in known["left_out"]]
    today = {}
    for index in indices[10 * part : 10 * part + 10]:
        scene = sample(known["seed"], index)
        kinds = failure_kinds(judged(scene, index, tmp_path / scene.name, CPU_LIMIT_S))
        if kinds:
            today[str(index)] = kinds
    before = {key: kinds for key, kinds in known["failures"].items() if int(key) in indices[10 * part : 10 * part + 10]}
    if os.environ.get(WRITE):
        others = {key: kinds for key, kinds in known["failures"].items() if key not in before}
        failures = dict(sorted({**others, **today}.items(), key=lambda item: int(item[0])))
        rows = ",\n".join(f"    {json.dumps(key)}: {json.dumps(kinds)}" for key, kinds in failures.items())
        head = f'{{\n  "seed": {known["seed"]},\n  "left_out": {json.dumps(known["left_out"])},\n'
        KNOWN.write_text(head + f'  "failures": {{\n{rows}\n  }}\n}}\n')
        return
    new = {key: sorted(set(kinds) - set(before.get(key, []))) for key, kinds in today.items()}
    assert {key: kinds for key, kinds in new.items() if kinds} == {}, "scenes fail that did not fail before"
    gone = {key: sorted(set(kinds) - set(today.get(key, []))) for key, kinds in before.items()}
    gone = {key: kinds for key, kinds in gone.items() if kinds}
    assert gone == {}, f"remove from {KNOWN.name} what no longer fails ({WRITE}=1 writes the file)"
