"""nodia run --envs: a batch is its environments, each as it is alone."""

import csv
import json
import os
import re

import pytest
import yaml
from nodia_command import SLIDING_BOX, expect_bad_input, needs_nodia, run

pytestmark = needs_nodia

# Environments differ in mesh, material, friction and initial velocity.
RANDOM_BOX = (
    # The floor's default would hide the smaller draws, and a warning would say so.
    SLIDING_BOX.replace("floor: {shape: half_space}", "floor: {shape: half_space, friction: 0}")
    + """\
randomize:
  bodies.box.mesh.box.size_m.0: [0.08, 0.16]
  bodies.box.youngs_modulus_Pa: [5.0e+4, 2.0e+5]
  bodies.box.poissons_ratio: [0.2, 0.4]
  bodies.box.friction: [0.1, 0.6]
  bodies.box.velocity_m_s.0: [0.1, 0.6]
"""
)
# What depends on the clock.
TIMES = ("dynamics_ms", "solver_ms")


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "random_box.yaml"
    path.write_text(RANDOM_BOX)
    return path


def rows_of(directory, env):
    """Rows of an environment without its number and without times."""
    with open(directory / "steps.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["env"] == str(env)]
    return [
        {key: value for key, value in row.items() if key not in ("env", *TIMES)} for row in rows
    ]


def summary_of(directory):
    return json.loads((directory / "summary.json").read_text())


def test_every_environment_is_its_solo_run(scenario, tmp_path):
    batch = tmp_path / "batch"
    words = ["--envs", 3, "--seed", 5, "--record-envs", "all", "--threads", 2, "--json"]
    done = run("run", scenario, *words, "--out", batch)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    summary = json.loads(done.stdout)
    assert summary == summary_of(batch)
    assert (summary["n_env"], summary["steps"], summary["seed"]) == (3, 30, 5)
    assert summary["converged_steps"] == 90 and summary["reasons"] == {"converged": 90}
    assert [env["seed"] for env in summary["environments"]] == [5, 6, 7]
    assert [(check["name"], check["env"]) for check in summary["checks"]] == [
        (name, env) for env in range(3) for name in ("no_penetration", "converged")
    ]
    drawn = [env["drawn"]["bodies.box.friction"] for env in summary["environments"]]
    assert len(set(drawn)) == 3
    for env in range(3):
        solo = tmp_path / f"solo{env}"
        words = ["--seed", 5 + env, "--threads", 2, "--out", solo]
        assert run("run", scenario, *words).returncode == 0
        assert rows_of(batch, env) == rows_of(solo, 0)
        assert (batch / f"trajectory_env{env:04}.vtkhdf").read_bytes() == (
            solo / "trajectory.vtkhdf"
        ).read_bytes()
        assert (batch / f"config_env{env:04}.yaml").read_text() == (
            solo / "config.yaml"
        ).read_text()


def test_the_number_of_threads_changes_nothing(scenario, tmp_path):
    for threads in (1, 2):
        words = ["--envs", 3, "--threads", threads]
        directory = tmp_path / str(threads)
        assert run("run", scenario, *words, "--out", directory).returncode == 0
    for env in range(3):
        assert rows_of(tmp_path / "1", env) == rows_of(tmp_path / "2", env)
    assert (tmp_path / "1/trajectory_env0000.vtkhdf").read_bytes() == (
        tmp_path / "2/trajectory_env0000.vtkhdf"
    ).read_bytes()


def test_the_resolved_config_repeats_the_batch(scenario, tmp_path):
    words = ["--envs", 3, "--seed", 2, "--record-envs", "1", "--set", "bodies.box.friction=0.3"]
    first = run("run", scenario, *words, "--steps", 10, "--out", tmp_path / "a")
    assert first.returncode == 0, first.stderr
    config = yaml.safe_load((tmp_path / "a/config.yaml").read_text())
    assert (config["environments"], config["seed"]) == (3, 2)
    assert "bodies.box.friction" not in config["randomize"]
    again = run("run", tmp_path / "a/config.yaml", "--out", tmp_path / "b")
    assert again.returncode == 0, again.stderr
    assert sorted(os.listdir(tmp_path / "b")) == sorted(os.listdir(tmp_path / "a"))
    for name in ("config.yaml", "config_env0001.yaml", "trajectory_env0001.vtkhdf"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    for env in range(3):
        assert rows_of(tmp_path / "a", env) == rows_of(tmp_path / "b", env)


def test_without_a_seed_a_batch_starts_at_zero_and_one_environment_is_nominal(scenario, tmp_path):
    assert run("run", scenario, "--envs", 2, "--steps", 5, "--out", tmp_path / "a").returncode == 0
    environments = summary_of(tmp_path / "a")["environments"]
    assert [env["seed"] for env in environments] == [0, 1]
    assert all(len(env["drawn"]) == 5 for env in environments)
    assert run("run", scenario, "--envs", 1, "--steps", 5, "--out", tmp_path / "b").returncode == 0
    assert summary_of(tmp_path / "b")["environments"][0]["drawn"] == {}
    assert sorted(os.listdir(tmp_path / "b")) == [
        "config.yaml",
        "steps.csv",
        "summary.json",
        "trajectory.vtkhdf",
    ]


@pytest.mark.parametrize(
    ("words", "recorded"),
    [([], [0]), (["--record-envs", "none"], []), (["--record-envs", "2,0"], [0, 2])],
)
def test_recorded_environments(scenario, tmp_path, words, recorded):
    done = run("run", scenario, "--envs", 3, "--steps", 3, *words, "--out", tmp_path / "r")
    assert done.returncode == 0, done.stderr
    expected = ["config.yaml", "steps.csv", "summary.json"]
    for env in recorded:
        expected += [f"config_env{env:04}.yaml", f"trajectory_env{env:04}.vtkhdf"]
    assert sorted(os.listdir(tmp_path / "r")) == sorted(expected)


def test_a_smaller_run_leaves_nothing_of_a_larger_batch(scenario, tmp_path):
    words = ["run", scenario, "--steps", 3, "--out", tmp_path / "r"]
    assert run(*words, "--envs", 3, "--record-envs", "all").returncode == 0
    assert run(*words, "--overwrite").returncode == 0
    assert sorted(os.listdir(tmp_path / "r")) == [
        "config.yaml",
        "steps.csv",
        "summary.json",
        "trajectory.vtkhdf",
    ]


def test_equal_environments_are_warned_of(tmp_path):
    path = tmp_path / "same.yaml"
    path.write_text(SLIDING_BOX)
    done = run("run", path, "--envs", 2, "--steps", 3, "--out", tmp_path / "r")
    assert done.returncode == 0
    assert "no value is sampled" in done.stderr and done.stderr.count("\n") == 1
    assert rows_of(tmp_path / "r", 0) == rows_of(tmp_path / "r", 1)


def test_a_failed_environment_is_named_and_the_others_finish(tmp_path):
    """Velocities so large that their squares overflow, but for the environment in the middle."""
    path = tmp_path / "wild.yaml"

    def batch(name, low, high):
        key = "bodies.box.velocity_m_s.2"
        path.write_text(SLIDING_BOX + f"randomize:\n  {key}: [{low:.17e}, {high:.17e}]\n")
        words = ["--envs", 3, "--steps", 4, "--json", "--out", tmp_path / name]
        done = run("run", path, *words)
        summary = json.loads(done.stdout)
        return done, summary, [env["drawn"][key] for env in summary["environments"]]

    _, _, share = batch("calm", 0, 1)
    high = 1e178  # low + share[1] (high - low) cancels but for rounding
    done, summary, _ = batch("wild", -high * share[1] / (1 - share[1]), high)
    assert done.returncode == 1
    assert [failed["env"] for failed in summary["failed_environments"]] == [0, 2]
    for failed in summary["failed_environments"]:
        assert failed["step"] == 1 and failed["time_s"] == 0.01 and failed["reason"]
        assert f"environment {failed['env']} failed" in done.stderr
        assert f"in step 1: its state is not finite ({failed['reason']})" in done.stderr
        rows = rows_of(tmp_path / "wild", failed["env"])
        assert [(row["step"], row["status"]) for row in rows] == [("1", "not_a_number")]
    assert summary["reasons"]["not_a_number"] == 2
    assert [row["step"] for row in rows_of(tmp_path / "wild", 1)] == ["1", "2", "3", "4"]
    assert summary["steps"] == 4


def test_failed_checks_name_their_environments(scenario, tmp_path):
    words = ["--envs", 3, "--check", "--json", "--set", "checks.no_penetration.bound_m=1e-30"]
    words += ["--set", "bodies.box.position_m=[0, 0, -0.001]"]
    done = run("run", scenario, *words, "--out", tmp_path / "r")
    assert done.returncode == 1
    assert "check no_penetration failed in 3 of 3 environments, first in environment 0" in done.stderr
    failed = [c["env"] for c in summary_of(tmp_path / "r")["checks"] if not c["passed"]]
    assert failed == [0, 1, 2]


def test_an_episode_alone_runs_again_from_its_configuration(scenario, tmp_path):
    bits = {}
    for episode in (0, 3, 4):
        words = ["--seed", 5, "--episode", episode, "--steps", 3]
        out = tmp_path / f"episode_{episode}"
        assert run("run", scenario, *words, "--out", out).returncode == 0
        told = summary_of(out)
        assert [told[key] for key in ("seed", "episode", "attempt")] == [5, episode, 0]
        again = tmp_path / f"again_{episode}"
        assert run("run", out / "config.yaml", "--out", again).returncode == 0
        assert [summary_of(again)[key] for key in ("seed", "episode", "attempt")] == [5, episode, 0]
        assert (again / "config.yaml").read_bytes() == (out / "config.yaml").read_bytes()
        bits[episode] = (out / "trajectory.vtkhdf").read_bytes()
        assert (again / "trajectory.vtkhdf").read_bytes() == bits[episode]
    assert len(set(bits.values())) == 3
    assert run("run", scenario, "--seed", 5, "--steps", 3, "--out", tmp_path / "seed").returncode == 0
    assert (tmp_path / "seed/trajectory.vtkhdf").read_bytes() == bits[0]


def test_the_table_tells_of_the_batch(scenario, tmp_path):
    done = run("run", scenario, "--envs", 3, "--out", tmp_path / "r")
    assert "3, seeds 0 to 2" in done.stdout
    assert "passed no_penetration in 3 environments" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--envs", "0"], ["--envs = 0", "from 1 to"]),
        (["--envs", "-2"], ["--envs"]),
        (["--envs", "x"], ["--envs = x"]),
        (["--envs", "1.5"], ["--envs = 1.5"]),
        (["--envs", "999999999999"], ["--envs"]),
        (["--envs"], ["--envs"]),
        (["--envs", "3", "--record-envs", "3"], ["record_envs", "[0, 2]"]),
        (["--envs", "3", "--record-envs", ""], ["record_envs"]),
        (["--envs", "3", "--record-envs", "some"], ["record_envs", "all, none"]),
        (["--envs", "2", "--seed", "18446744073709551615"], ["seed"]),
        (["--envs", "2", "--seed", "1", "--episode", "0"], ["episode = 0", "left out", "several environments"]),
        (["--envs", "2", "--set", "randomize.time.step_s=[0.01, 0.02]"], ["randomize.time.step_s"]),
    ],
)
def test_bad_values(scenario, tmp_path, options, words):
    expect_bad_input(run("run", scenario, *options, cwd=tmp_path), *words)
    assert os.listdir(tmp_path) == ["random_box.yaml"]


def test_help_names_the_options():
    text = run("run", "--help").stdout
    assert "--envs" in text and "--record-envs" in text and "seed + e" in text


def test_a_draw_that_a_default_hides_is_named_once(scenario, tmp_path):
    scenario.write_text(scenario.read_text().replace("half_space, friction: 0}", "half_space}"))
    done = run("run", scenario, "--envs", 3, "--seed", 5, "--steps", 1, "--out", tmp_path / "out")
    assert done.returncode == 0
    assert re.fullmatch(
        r"nodia: warning: bodies\.box\.friction = 0\.\d+ has no effect at obstacles\.floor: .*\n", done.stderr
    )
