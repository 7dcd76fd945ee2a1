"""The Python and C++ code that README.md and docs/ show does what the pages say, taken from the pages themselves."""

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import h5py
import numpy as np
import pytest
import yaml
from nodia_command import BINARY, SOURCE, needs_nodia, run
from own_egg import write_egg
from shown_commands import code_blocks, page_text, pages, shown_commands

pytestmark = needs_nodia

BUILD = BINARY.parents[1]
ADDING_A_SOLVER = "docs/adding/solver.md"
ADDING_A_SCENARIO = "docs/adding/scenario.md"
ADDING_A_BODY = "docs/adding/body.md"
ADDING_A_CHECK = "docs/adding/check.md"
ADDING_A_DATASET = "docs/adding/dataset.md"

# Code blocks of every page by language: each has a test below, those of docs/library.md in test_library.py, of Python in README.md,
# docs/gym.md, docs/python.md and docs/tasks.md in tests/python, those of docs/tutorial.md in test_tutorial.py.
CODE_BLOCKS = {
    ("README.md", "python"): 1,
    ("docs/architecture.md", "text"): 1,
    ("docs/gym.md", "python"): 2,
    ("docs/library.md", "cmake"): 1,
    ("docs/library.md", "cpp"): 2,
    ("docs/outputs.md", "python"): 2,
    ("docs/python.md", "python"): 3,
    ("docs/scenarios.md", "yaml"): 5,
    ("docs/tutorial.md", "python"): 2,
    ("docs/tutorial.md", "xml"): 1,
    ("docs/tutorial.md", "yaml"): 1,
    ("docs/tasks.md", "python"): 2,
    ("docs/tasks.md", "yaml"): 1,
    (ADDING_A_DATASET, "yaml"): 1,
    (ADDING_A_BODY, "cpp"): 2,
    (ADDING_A_CHECK, "cpp"): 3,
    (ADDING_A_CHECK, "diff"): 1,
    (ADDING_A_SCENARIO, "yaml"): 1,
    (ADDING_A_SOLVER, "cpp"): 4,
}


def test_every_code_block_has_a_test_here():
    found = {}
    for page in pages():
        for language in re.findall(r"^```(\w+)$", page_text(page), re.M):
            if language != "sh":
                found[page, language] = found.get((page, language), 0) + 1
    assert found == CODE_BLOCKS, "add a test of the new block here, and count it in CODE_BLOCKS"


def test_outputs_reads_the_force_of_a_pair_of_bodies(tmp_path, monkeypatch):
    scenario = SOURCE / "scenarios/soft_ball/soft_ball.yaml"
    out = tmp_path / "out/soft_ball"
    done = run("run", scenario, "--steps", 66, "--threads", 1, "--out", out)
    assert done.returncode == 0, done.stderr
    monkeypatch.chdir(tmp_path)
    code, mesh_code = (
        compile(block, "docs/outputs.md", "exec") for block in code_blocks("docs/outputs.md", "python")
    )
    with (out / "steps.csv").open() as file:
        rows = list(csv.DictReader(file))
    with h5py.File(out / "trajectory.vtkhdf") as file:
        times = file["VTKHDF/Steps/Values"][()]
    n_squeezed = 0
    for row in rows[-10:]:
        frame = int(np.argmin(abs(times - float(row["time_s"]))))
        names = {"frame": frame}
        exec(code, names)
        exec(mesh_code, names)
        expected = [float(row[f"contact_ball_gripper_f{axis}_N"]) for axis in "xyz"]
        np.testing.assert_allclose(names["force"], expected, rtol=1e-9, atol=1e-12)
        on_ball = [float(row[f"contact_ball_f{axis}_N"]) for axis in "xyz"]
        np.testing.assert_allclose(names["mesh"]["contact_force"].sum(axis=0), on_ball, rtol=1e-5, atol=1e-5)
        n_squeezed += np.any(names["force"] != 0)
    assert n_squeezed > 3


def test_the_page_on_scenarios_shows_one_that_meets_its_checks(tmp_path):
    file = tmp_path / "stopping_block.yaml"
    file.write_text(code_blocks(ADDING_A_SCENARIO, "yaml")[0])
    done = run("run", file, "--threads", 1, "--check", "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    checks = json.loads(done.stdout)["checks"]
    assert len(checks) == 5 and all(check["passed"] for check in checks)


def test_the_page_on_scenario_files_shows_a_gripper_that_lifts_a_ball(tmp_path):
    (tmp_path / "scenarios").symlink_to(SOURCE / "scenarios")
    file = tmp_path / "ball_lift.yaml"
    file.write_text(code_blocks("docs/scenarios.md", "yaml")[0])
    done = run("run", file, "--threads", 1, "--check", "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert [check["passed"] for check in json.loads(done.stdout)["checks"]] == [True] * 3


def test_the_page_on_scenario_files_shows_a_compound_and_a_ring(tmp_path):
    file = tmp_path / "hammer.yaml"
    file.write_text(code_blocks("docs/scenarios.md", "yaml")[1])
    done = run("run", file, "--threads", 1, "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["look_at"] == [] and summary["steps"] == summary["converged_steps"] == 250


def test_the_page_on_scenario_files_joins_bodies(tmp_path):
    cable = {"links": 4, "radius_m": 0.001, "density_kg_m3": 1000, "youngs_modulus_Pa": 1e8, "damping_s": 0.01}
    box = {"shape": "box", "size_m": [0.02, 0.02, 0.02], "mass_kg": 0.05}
    pad = {"mesh": {"box": {"size_m": [0.04, 0.04, 0.02], "cells": [2, 2, 1]}}, "youngs_modulus_Pa": 1e5, "density_kg_m3": 1000}
    rest = {
        "name": "joined",
        "gravity_m_s2": [0, 0, 0],
        "time": {"step_s": 0.005, "duration_s": 0.5},
        "cables": {
            "trunk": cable | {"points_m": [[0, 0, 1], [0, 0, 0.8]]},
            "branch": cable | {"points_m": [[0, 0, 0.9], [0.2, 0, 0.9]]},
        },
        "rigid_bodies": {
            "plug": box | {"position_m": [0, 0, 0.79]},
            "arm": box | {"position_m": [-0.1, 0, 0.79]},
            "plate": {"shape": "box", "size_m": [0.1, 0.1, 0.01], "mass_kg": 0.1, "position_m": [1, 0, 0.495]},
        },
        "bodies": {"pad": pad | {"position_m": [0.98, -0.02, 0.5]}},
    }
    file = tmp_path / "joined.yaml"
    file.write_text(code_blocks("docs/scenarios.md", "yaml")[2] + yaml.safe_dump(rest))
    done = run("run", file, "--threads", 1, "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["look_at"] == [] and summary["steps"] == summary["converged_steps"] == 100


@pytest.fixture
def egg_lift(tmp_path):
    """The scenario of the page on datasets of one's own, beside its robot and a mesh."""
    write_egg(tmp_path)
    return tmp_path / "egg_lift.yaml"


def test_the_page_on_own_datasets_lifts_what_it_shows(egg_lift, tmp_path):
    done = run("run", egg_lift, "--threads", 1, "--check", "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    checks = json.loads(done.stdout)["checks"]
    assert len(checks) == 2 and all(check["passed"] for check in checks)


def test_the_page_on_own_datasets_says_what_is_lost_to_a_short_time_of_settling(egg_lift, tmp_path):
    def redrawn_and_softest(name, *words):
        folder = tmp_path / name
        made = run("generate", egg_lift, folder, "--episodes", 3, "--seed", 7, "--set", "time.duration_s=0.2", *words)
        assert made.returncode == 0, made.stderr
        episodes = json.loads((folder / "blocks/000000.json").read_text())["episodes"]
        told = json.loads(run("dataset", folder, "--json").stdout)
        return told["redrawn"], min(episode["drawn"]["bodies.egg.youngs_modulus_Pa"] for episode in episodes)

    redrawn, softest = redrawn_and_softest("enough")
    assert redrawn == 0
    # The test's mesh is coarser than the page's and rests sooner.
    redrawn_early, softest_early = redrawn_and_softest("short", "--set", "task.settle.at_most_s=0.1")
    assert redrawn_early > 0 and softest_early > 1.2 * softest


def run_with_drawn(tmp_path, block):
    """Drawn values and configuration of a run of a block of docs/scenarios.md about a teddy and a hand."""
    for name in ("teddy", "rabbit"):
        shutil.copy(SOURCE / "scenarios/soft_ball/soft_ball.msh", tmp_path / f"{name}.msh")
    urdf = SOURCE / "scenarios/assets/free_gripper/free_gripper_two_drives.urdf"
    body = {"mesh": {"file": "teddy.msh"}, "youngs_modulus_Pa": 1e5, "friction": 0.7, "position_m": [1, 0, 0]}
    robot = {"urdf": str(urdf), "position_m": [0, 0, 1], "joint_drives": {"finger_left": {"stiffness": 2000}}}
    rest = {"name": "drawn", "bodies": {"teddy": body}, "robots": {"hand": robot}}
    file = tmp_path / "drawn.yaml"
    file.write_text(block + yaml.safe_dump(rest))
    words = ["--seed", 7, "--episode", 3, "--steps", 1, "--threads", 1]
    done = run("run", file, *words, "--json", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    drawn = json.loads(done.stdout)["environments"][0]["drawn"]
    assert list(drawn) == list(yaml.safe_load(block)["randomize"])
    return drawn, yaml.safe_load((tmp_path / "out/config.yaml").read_text())


def test_the_page_on_scenario_files_draws_what_it_says(tmp_path):
    drawn, config = run_with_drawn(tmp_path, code_blocks("docs/scenarios.md", "yaml")[3])
    assert drawn["bodies.teddy.mesh.file"] in ("teddy.msh", "rabbit.msh")
    assert drawn["robots.hand.friction"] == drawn["bodies.teddy.friction"]
    assert len(drawn["bodies.teddy.orientation_wxyz"]) == 4
    assert 1500 <= drawn["robots.hand.joint_drives.finger_left.stiffness"] <= 2500
    assert config["bodies"]["teddy"]["friction"] == drawn["bodies.teddy.friction"]


def test_the_page_on_scenario_files_pushes_as_it_draws(tmp_path):
    drawn, config = run_with_drawn(tmp_path, code_blocks("docs/scenarios.md", "yaml")[4])
    shove, knock = config["pushes"]["shove"], config["pushes"]["knock"]
    assert shove["force_N"] == [drawn["pushes.shove.force_N.0"], 8, 0]
    assert 0.3 <= shove["from_s"] == drawn["pushes.shove.from_s"] <= 0.6
    assert shove["duration_s"] == 0.12
    assert knock["link"] == "palm"


def test_the_page_on_scenario_files_has_the_sizes_of_every_shape():
    schema = json.loads((SOURCE / "scenarios/schema/scenario.schema.json").read_text())
    shapes = schema["properties"]["obstacles"]["additionalProperties"]["oneOf"]
    lines = page_text("docs/scenarios.md").splitlines()
    for shape in shapes:
        sizes = [key for key in shape["properties"] if key in shape["required"] and key != "shape"]
        name = shape["properties"]["shape"]["const"]
        row = next(line for line in lines if line.startswith(f"| `{name}` |"))
        assert sizes or name == "half_space"
        assert all(f"`{size}" in row for size in sizes), row


def scenario_schema(*groups):
    """What the schema says of the keys of groups in each other; of one with names, of whatever has one."""
    found = json.loads((SOURCE / "scenarios/schema/scenario.schema.json").read_text())
    for group in groups:
        found = found["properties"][group]
        found = found.get("additionalProperties") or found
    return found


def faults_of_check_table(text, kinds):
    """`check: fault` for everything in which the table of checks of a page is not what the schema says."""
    section = re.search(r"^## Checks\n(.*?)^## ", text, re.M | re.S)[1]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.* \|.* \|.*) \|$", section, re.M))
    faults = [f"{kind}: no such check" for kind in rows.keys() - kinds.keys()]
    for kind, schema in kinds.items():
        if kind not in rows:
            faults.append(f"{kind}: no row")
            continue
        columns = rows[kind].split(" |")
        needed = re.findall(r"`(\w+)`", columns[-2])
        optional = dict(re.findall(r"`(\w+)`(?: \(([^)]*)\))?", columns[-1]))
        required = [key for key in schema["required"] if key != "check"]
        if sorted(needed) != sorted(required):
            faults.append(f"{kind}: needs {sorted(required)}")
        others = schema["properties"].keys() - {*required, "check"}
        if optional.keys() != others:
            faults.append(f"{kind}: may have {sorted(others)}")
        for key in others & optional.keys():
            default, told = schema["properties"][key].get("default"), optional[key].strip("`")
            right = float(told or "nan") == default if isinstance(default, int | float) else told == default
            if default is not None and not right:
                faults.append(f"{kind}: {key} is {default} where it is left out")
    return faults


def kinds_of_checks():
    return {kind["properties"]["check"]["const"]: kind for kind in scenario_schema("checks")["oneOf"]}


def test_the_page_on_scenario_files_has_every_key_of_every_check():
    assert len(kinds_of_checks()) >= 15
    assert faults_of_check_table(page_text("docs/scenarios.md"), kinds_of_checks()) == []


@pytest.mark.parametrize(
    ("shown", "instead", "fault"),
    [
        ("| `drift` |", "| `drifts` |", "drift: no row"),
        ("`obstacle`, `from_s`", "`from_s`", "weight_on_obstacle: needs ['from_s', 'obstacle', 'to_s']"),
        ("`to_body`, `to_node_set`, ", "`to_body`, ", "node_distance: may have"),
        ("`bound_m` (1e-5)", "`bound_m` (1e-4)", "max_penetration: bound_m is 1e-05"),
        ("`at` (`body`)", "`at` (`rear`)", "body_position: at is body"),
    ],
)
def test_a_stale_row_of_a_check_is_found(shown, instead, fault):
    text = page_text("docs/scenarios.md")
    assert text.count(shown) == 1
    assert fault in "\n".join(faults_of_check_table(text.replace(shown, instead), kinds_of_checks()))


def test_the_page_on_scenario_files_has_every_key_of_a_robot():
    robot = scenario_schema("robots")
    keys = {*robot["properties"]}
    for group in ("joint_drives", "pose_drives", "force_sensors"):
        keys |= scenario_schema("robots", group)["properties"].keys()
    section = re.search(r"^## Robots\n(.*?)^## ", page_text("docs/scenarios.md"), re.M | re.S)[1]
    assert {"stiffness", "path", "urdf"} <= keys
    assert not [key for key in sorted(keys - {"urdf"}) if f"`{key}`" not in section]


def test_the_page_on_tasks_shows_that_of_quick_lift():
    block = code_blocks("docs/tasks.md", "yaml")[0]
    assert block.strip() in (SOURCE / "scenarios/quick_lift/quick_lift.yaml").read_text()


def test_the_page_on_tasks_has_every_key():
    schema = json.loads((SOURCE / "scenarios/schema/scenario.schema.json").read_text())
    task = schema["properties"]["task"]["properties"]
    keys = {*task, *task["action"]["properties"], *task["settle"]["properties"], "for_s"}
    text = page_text("docs/tasks.md")
    assert not [key for key in sorted(keys) if f"`{key}`" not in text]
    spaces = task["action"]["properties"]["space"]["enum"]
    assert all(f"| `{space}` |" in text for space in spaces)


def link_command(target):
    """The words that link a target, run in BUILD."""
    commands = subprocess.run(
        ["ninja", "-C", BUILD, "-t", "commands", target], capture_output=True, text=True, check=True
    )
    last = commands.stdout.strip().splitlines()[-1]
    return shlex.split(next(part for part in last.split(" && ") if " -o " in part))


def compilation_of(source):
    """The entry of compile_commands.json that compiles a source, alone or within a unity source."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        file = Path(entry["file"])
        if file == SOURCE / source or (file.suffix == ".cxx" and f'{source}"' in file.read_text()):
            return entry
    raise AssertionError(f"{BUILD} does not compile {source}")


def compile_code(folder, name, text):
    """An object of C++ code, compiled with the project's flags for tests. Headers in `folder` are found first."""
    source = folder / name
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    entry = compilation_of("tests/host/simulation/capstan.cpp")
    # Without optimisation the build's precompiled headers do not fit; the compiler then reads the headers as text.
    words = [word for word in shlex.split(entry["command"]) if word != "-Winvalid-pch"]
    made = source.with_suffix(".o")
    words[words.index("-o") + 1] = str(made)
    words[words.index("-c") + 1] = str(source)
    words[1:1] = [f"-I{folder}"]
    done = subprocess.run([*words, "-O0"], cwd=entry["directory"], capture_output=True, text=True)
    assert done.returncode == 0, f"{name} does not compile:\n{done.stderr}"
    return made


def sources_that_see(header, folder):
    """The sources in a folder whose compilation reads a header, according to the build's log of dependencies.

    A unity source reads the sources that it includes, so all of them count. ccache shortens paths in the tree to
    paths from the build folder; other paths are absolute.
    """
    log = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    seeing, root = set(), f"{SOURCE}/"
    for entry in log.split("\n\n"):
        paths = [os.path.normpath(os.path.join(BUILD, line.strip())) for line in entry.splitlines()[1:]]
        files = {path.removeprefix(root) for path in paths if path.startswith(root)}
        if header in files:
            seeing.update(f for f in files if f.startswith(f"{folder}/") and f.endswith(".cpp"))
    return seeing


def link(folder, name, target, objects, instead_of_its_own):
    """A program linked like a target, with more objects or with others instead of its own."""
    words = link_command(target)
    is_object = re.compile(r"\.(cpp|cxx)\.o$")  # of one file, or of several compiled as one
    own = [k for k, word in enumerate(words) if is_object.search(word)]
    program = folder / name
    words[words.index("-o") + 1] = str(program)
    # The first definition counts: an archive's object may hold what stands in one of these, beside others.
    words[own[0] : own[0]] = ["-Wl,--allow-multiple-definition", *map(str, objects)]
    if instead_of_its_own:
        words = [word for word in words if not is_object.search(word)]
    done = subprocess.run(words, cwd=BUILD, capture_output=True, text=True)
    assert done.returncode == 0, f"{name} does not link:\n{done.stderr}"
    return program


@pytest.fixture(scope="module")
def jacobi(tmp_path_factory):
    """A folder with the objects of the solver that the page adds, and of the catalogue with it."""
    folder = tmp_path_factory.mktemp("jacobi")
    header, source, entry, _ = code_blocks(ADDING_A_SOLVER, "cpp")
    (folder / "host/solvers/delassus").mkdir(parents=True)
    (folder / "host/solvers/delassus/jacobi.hpp").write_text(header)
    catalogue = (SOURCE / "host/solvers/catalogue.cpp").read_text()
    changed = catalogue.replace("\n  };\n  return catalogue;", f"\n{entry}  }};\n  return catalogue;", 1)
    assert changed.count('{"jacobi"') == 1, "the catalogue has another form: mend this test"
    compile_code(folder, "host/solvers/delassus/jacobi.cpp", source)
    compile_code(folder, "host/solvers/catalogue.cpp", '#include "host/solvers/delassus/jacobi.hpp"\n' + changed)
    return folder


def objects_of(folder):
    return [folder / "host/solvers/delassus/jacobi.o", folder / "host/solvers/catalogue.o"]


def test_the_page_on_solvers_adds_one_to_the_program(jacobi, tmp_path):
    link(jacobi, "nodia", "bin/nodia", objects_of(jacobi), instead_of_its_own=False)
    (tmp_path / "scenarios").symlink_to(SOURCE / "scenarios")
    small_mat = "--set 'bodies.mat.mesh={box: {size_m: [0.3, 0.3, 0.006], cells: [6, 6, 1]}}'"
    commands = [text for text in shown_commands(ADDING_A_SOLVER) if "jacobi" in text]
    assert len(commands) == 2
    for command in ["nodia info", *commands]:
        if command.startswith("nodia run"):
            command += " --steps 3 --set solver.tolerance=1e-6 --set checks={}"
        if command.startswith("nodia compare"):
            command += f" --steps 2 {small_mat}"
        done = subprocess.run(
            ["bash", "-euc", command],
            cwd=tmp_path,
            env=os.environ | {"PATH": f"{jacobi}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
        assert "jacobi" in done.stdout


def test_the_page_on_solvers_shows_a_test_that_passes(jacobi):
    test = compile_code(jacobi, "jacobi_test.cpp", code_blocks(ADDING_A_SOLVER, "cpp")[3])
    objects = [test, *objects_of(jacobi)]
    program = link(jacobi, "test_jacobi", "tests/test_host_solvers", objects, instead_of_its_own=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"PASSED  \] (\d+) tests?", done.stdout)[1]) >= 1


def test_changes_that_pages_show_fit_the_code(tmp_path):
    for page, language in CODE_BLOCKS:
        if language == "diff":
            apply_changes(page, tmp_path / page)


def apply_changes(page, folder):
    """Copies of the files that the changes on a page are made to, with the changes made. A hunk stands where its
    lines without the new ones are, once in the file."""
    for change in code_blocks(page, "diff"):
        head, *hunks = re.split(r"^@@.*\n", change, flags=re.M)
        name = re.search(r"^\+\+\+ b/(\S+)$", head, re.M)[1]
        target = folder / name
        text = (target if target.exists() else SOURCE / name).read_text()
        for hunk in hunks:
            lines = hunk.splitlines(keepends=True)
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            assert text.count(before) == 1, f"{page}: this is not, or not once, in {name}:\n{before}"
            text = text.replace(before, after)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def test_the_page_on_checks_adds_one_and_shows_a_test_that_passes(tmp_path):
    apply_changes(ADDING_A_CHECK, tmp_path)
    header, source, test_source = code_blocks(ADDING_A_CHECK, "cpp")
    checks = "scenarios/checks"
    (tmp_path / checks / "most_iterations.hpp").write_text(header)
    # What sees the list of kinds is compiled again.
    seeing = sources_that_see(f"{checks}/check.hpp", "scenarios/build") | {f"{checks}/check.cpp"}
    assert "scenarios/build/scenario.cpp" in seeing
    (tmp_path / checks / "most_iterations.cpp").write_text(source)
    together = "".join(f'#include "{name}"\n' for name in sorted({*seeing, f"{checks}/most_iterations.cpp"}))
    made = compile_code(tmp_path, "checks.cpp", together)
    test = compile_code(tmp_path, "most_iterations.cpp", test_source)
    program = link(tmp_path, "test_check", "tests/test_scenarios", [test, made], instead_of_its_own=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"PASSED  \] (\d+) tests?", done.stdout)[1]) == 2


def run_shown_tests(folder, name, target, includes, page, n_test):
    """Compiles the two C++ blocks of a page, what it adds and the tests of that, and runs them."""
    added, tests = code_blocks(page, "cpp")
    head = "".join(f"#include {file}\n" for file in includes)
    text = f"{head}namespace nodia {{\nnamespace {{\n{added}{tests}}}\n}}\n"
    made = compile_code(folder, f"{name}.cpp", text)
    program = link(folder, name, target, [made], instead_of_its_own=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"PASSED  \] (\d+) tests?", done.stdout)[1]) == n_test


def test_the_page_on_bodies_shows_one_and_a_test_that_passes(tmp_path):
    includes = ["<gtest/gtest.h>", '"host/solvers/catalogue.hpp"', '"kernels/core/time_step.hpp"']
    run_shown_tests(tmp_path, "body", "tests/test_host_solvers", includes, ADDING_A_BODY, 1)
