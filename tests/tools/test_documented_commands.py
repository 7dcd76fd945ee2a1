"""Every command that README.md, docs/ and the scenarios' README.md show runs, taken from the page itself.

COMMANDS says of each text how it is run here, or why not. A page that shows a text which is not in it fails, and
so does an entry whose text its page no longer shows: who changes a command on a page does the same in COMMANDS.
"""

import csv
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field

import h5py
import imageio.v2 as imageio
import numpy as np
import pytest
import yaml
from nodia_command import BINARY, SLIDING_BOX, SOURCE, needs_nodia
from own_egg import write_egg
from shown_commands import pages, shown_commands
from synthetic_dataset import write_dataset
from tutorial_page import TUTORIAL, shown_after_the_installation

pytestmark = needs_nodia

# What a run leaves in its directory.
RUN_FILES = ("config.yaml", "steps.csv", "summary.json", "trajectory.vtkhdf")


@dataclass(frozen=True)
class Runs:
    """The text is run, by bash in a folder of its own that looks like the root of the tree (see `workspace`)."""

    more: str = ""  # words behind it, which make it short
    within: str = "TEXT"  # the command that the text is a part of, TEXT in it
    put: dict = field(default_factory=dict)  # what stands for words of the page, such as FILE
    given: tuple = ()  # directories of runs that are there before
    leaves: tuple = ()  # files that it must write, readable as what their names say
    fills: tuple = ()  # columns of the first of them that must be finite numbers
    says: str = ""  # regular expression that its standard output must contain
    json: bool = False  # its standard output is one JSON object
    slow: bool = False


@dataclass(frozen=True)
class Serves:
    """The text is run with more words behind it until its page answers, and is interrupted then."""

    more: str
    put: dict = field(default_factory=dict)
    given: tuple = ()
    slow = False


@dataclass(frozen=True)
class NotHere:
    """The text is not run: why, and what is run in its place and must succeed."""

    because: str
    but: str
    slow = False


def files_in(directory, *names):
    return tuple(f"{directory}/{name}" for name in names or RUN_FILES)


# Checks of a whole run do not come true in two steps; those of every step, and --check itself, do.
SHORT = "--steps 2 --threads 1 --set checks={}"
SHORT_MAT = (
    "--steps 2 --threads 1 --set 'bodies.mat.mesh={box: {size_m: [0.3, 0.3, 0.006], cells: [6, 6, 1]}}'"
)
BOX = "nodia run box.yaml --steps 2 --out out/box TEXT"
# A robot with a joint whose name has a dot.
HAND = (
    "echo '<robot name=\"hand\"><link name=\"palm\"/><link name=\"finger\"><inertial><mass value=\"1\"/>"
    "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link><joint name=\"joint_0.0\" type=\"continuous\">"
    "<parent link=\"palm\"/><child link=\"finger\"/></joint></robot>' > hand.urdf"
    " && printf 'name: hand\\nrobots:\\n  hand: {urdf: hand.urdf}\\n' > hand.yaml"
)
CABLE = f"nodia run scenarios/cable_benchmark/cable_benchmark.yaml TEXT {SHORT}"
WINDING = f"nodia run scenarios/cable_winding/cable_winding.yaml TEXT {SHORT}"
PENALTY = (
    "nodia run scenarios/box_sliding/box_sliding.yaml --solver penalty --set solver.penalty.TEXT"
    f" {SHORT}"
)
DATASET = "nodia generate scenarios/quick_lift/quick_lift.yaml data --episodes 2 --set time.duration_s=0.2"
MORE_EPISODES = DATASET.replace(" data --episodes 2", " more TEXT")
SAME_BEGINNING = (
    "python -c \"import json; few, more = (json.load(open(d + '/blocks/000000.json'))['episodes'] for d in ('data', 'more'));"
    " assert few == more[:2] and len(more) == 3; print('the same two')\""
)
OWN_DATASET = "cd own; nodia generate egg_lift.yaml data --episodes 2 --seed 7 --set time.duration_s=0.2"
EGG_GEO = "echo 'Merge \"egg.stl\"; Surface Loop(1) = {1}; Volume(1) = {1};' > egg.geo"
HOME = {"~": "home"}
SMALL_BENCH = "--backend cpu --nodes 60 --envs 2 --threads 1"

# Behind a script's name: it makes its files anew, and they are those of the tree.
MADE = (
    "mkdir made && cp -rL scenarios/assets scenarios/{0} made/ && python made/{0}/TEXT"
    " && diff -r made/{0} scenarios/{0}"
)
# In front of test programs that write into the tree: another tree that they take for it.
NEW_TREE = (
    "mkdir -p new/tests/scenarios; cp -rL scenarios new/;"
    " cp -rL tests/scenarios/resolved new/tests/scenarios/;"
    " export NODIA_SOURCE_DIR=$PWD/new"
)
NEEDS_GPU = NotHere("needs a GPU; tools/gpu_check.sh does", "nodia run --loop checked --device 0 --help")
NEEDS_GMSH = NotHere(
    "needs Gmsh, which is no part of .venv (tools/requirements-mesh.txt)",
    "for script in scenarios/*/make_mesh.py scenarios/assets/tet_mesh.py; do"
    " python -m ast $script | grep -q gmsh; done",
)

# Every scenario's README.md has a line like this one: no entry is needed.
WITH_CHECKS = re.compile(r"nodia run scenarios/(\w+/\w+\.yaml) --check")

# Of texts that any page may show; a page's own entry goes before it.
ANY_PAGE = "any page"

COMMANDS = {
    ANY_PAGE: {
        "tools/test.sh": NotHere("it is what runs this", "tools/test.sh --quick --help"),
        "tests/tools/test_documented_commands.py": NotHere(
            "it is this", "python -m ast tests/tools/test_documented_commands.py"
        ),
        "nodia info": Runs(says=r"(?s)solver.*cond"),
        "nodia run": Runs("box.yaml --steps 2", leaves=files_in("out/sliding_box")),
        "nodia run --json": Runs("box.yaml --steps 2", json=True),
        "nodia compare": Runs("box.yaml --steps 2", says="(?s)cond.*apgd"),
        "nodia compare --help": Runs(says="Columns of the table"),
        "nodia solve --help": Runs(says="Columns of --table and --csv"),
        "nodia solve --table": Runs("problems/sliding.dat --solvers pgs", says=r"sliding.dat .*converged"),
        "nodia compare --suite accuracy": Runs(
            "--cases box_sliding --samples 1",
            leaves=("out/accuracy/accuracy.csv", "out/accuracy/accuracy_time.png"),
            fills=("cpu_ms", "true_error_mean"),
            says=r"box_sliding .*auto",
        ),
        "--suite accuracy": Runs(
            within="nodia compare TEXT --cases box_sliding --samples 1", says=r"box_sliding .*auto"
        ),
        "--cases soft_ball,soft_mat/*": NotHere(
            "takes minutes; test_cli_accuracy.py chooses cases", "nodia compare --help"
        ),
        "nodia solve": Runs("box.yaml --step 2", says="converged"),
        "nodia bench": Runs("--help", says="--quick"),
        "nodia scale": Runs(
            "scenarios/soft_mat/soft_mat.yaml --nodes 100 --average 1 --threads 1 --out scale",
            leaves=("scale/scale.csv",),
        ),
        "nodia paper": Runs(says=r"all +every one"),
        "nodia paper all": NotHere(
            "takes minutes at its shortest; test_paper.py tests that it is every result",
            "nodia paper table1 lu_fig2 painleve_map --trials 1 --steps 2 --out out/paper;"
            " grep -q 'Table I' out/paper/report.md",
        ),
        "nodia solve FOLDER --table": Runs(put={"FOLDER": "problems"}, says="cond"),
        "--json": Runs(within=BOX, json=True),
        "--check": Runs(within=BOX.replace("--steps 2 ", ""), says="passed"),
        "--out DIR": Runs(
            within="nodia run box.yaml --steps 2 TEXT", put={"DIR": "out/dir"}, leaves=files_in("out/dir")
        ),
        "--errors full": Runs(
            within=BOX, leaves=("out/box/steps.csv",), fills=("energy_error_J", "certificate_J")
        ),
        "--precision": Runs(
            within=f"for kind in double mixed float; do {BOX} $kind --solver cond; done",
            says="float precision",
        ),
        "--precision mixed": Runs(within=f"{BOX} --solver cond", says="mixed precision"),
        "--stop residual|paper": Runs(
            within=f"for rule in residual paper; do {BOX} --solver cond; done",
            put={"residual|paper": "$rule"},
            says="stopping rule paper",
        ),
        "--seed": Runs(within="nodia run drawn.yaml --steps 2 TEXT 3"),
        "nodia run SCENARIO.yaml --seed S --episode K": Runs(
            "--steps 2", put={"SCENARIO.yaml": "drawn.yaml", "--seed S": "--seed 7", "--episode K": "--episode 4"}
        ),
        "nodia run SCENARIO.yaml --seed 7 --episode 3": Runs("--steps 2", put={"SCENARIO.yaml": "drawn.yaml"}),
        "--envs": Runs(within="nodia run drawn.yaml --steps 2 TEXT 2", says="seeds 0 to 1"),
        "--ablation": Runs(
            within="nodia compare box.yaml --steps 2 TEXT", says=r"frobenius .*without / with Chebyshev"
        ),
        "--backend cuda": NotHere(
            "needs a GPU; tools/gpu_check.sh does", "nodia run --backend cuda --help"
        ),
        "--backend auto": Runs(within=BOX, says="backend"),
        "--device K": NEEDS_GPU,
        "--loop launches": NEEDS_GPU,
        "--loop checked": NEEDS_GPU,
        "--set KEY=VALUE": Runs(within=BOX, put={"KEY=VALUE": "time.step_s=0.005"}),
        "--set time.step_s=0.005": Runs(within=BOX),
        "--set 'robots.hand.q.\"joint_0.0\"=0.3'": Runs(within=f"{HAND} && nodia run hand.yaml --steps 2 TEXT"),
        "nodia info robot.urdf": Runs(put={"robot.urdf": "scenarios/assets/panda/panda.urdf"}, says="panda_joint7"),
        "nodia list": Runs(says="soft_ball"),
        "--package NAME=FOLDER": Runs(within=BOX, put={"NAME=FOLDER": "parts=scenarios"}),
        "--set solver.KEY=VALUE": Runs(within=BOX, put={"KEY=VALUE": "tolerance=1e-5"}, says="1e-05"),
        "--set solver.NAME.KEY=...": Runs(
            within=BOX.replace("TEXT", "--solver ccs TEXT"),
            put={"NAME.KEY=...": "ccs.over_relaxation=1.2"},
        ),
        "--set solver.ccs.over_relaxation=1.2": Runs(within=BOX.replace("TEXT", "--solver ccs TEXT")),
        "cable.links=80": Runs(within=CABLE.replace("TEXT", "--set TEXT")),
        "make_mesh.py": NEEDS_GMSH,
        "NODIA_WRITE_RESOLVED=1 build/release/tests/test_scenarios --gtest_filter='*ResolvedFormIsTheOneKept*'": Runs(
            within=f"{NEW_TREE}; rm new/tests/scenarios/resolved/*; TEXT;"
            " diff -r new/tests/scenarios/resolved tests/scenarios/resolved",
            says="PASSED",
        ),
        "NODIA_WRITE_SCHEMA=1 build/release/tests/test_scenarios --gtest_filter='Schema.*'": Runs(
            within=f"{NEW_TREE}; TEXT; diff -r new/scenarios/schema scenarios/schema", says="PASSED"
        ),
    },
    "README.md": {
        "--quick": NotHere("it is what runs this", "tools/test.sh --quick --help"),
        "tools/demo.sh": Runs(  # the build is there (see `workspace`); the rest is done as it stands
            leaves=files_in("out/soft_mat", *RUN_FILES, "soft_mat.png"), says="passed", slow=True
        ),
    },
    "docs/command_line.md": {
        "nodia=build/release/bin/nodia": Runs("&& $nodia --version", says="nodia 0"),
        "$nodia list": Runs(says="soft_ball +A free gripper"),
        "$nodia run soft_ball --check": Runs(SHORT, leaves=files_in("out/soft_ball")),
        "$nodia run scenarios/soft_mat/soft_mat.yaml --set time.step_s=0.005 --check": Runs(
            SHORT, leaves=files_in("out/soft_mat")
        ),
        "$nodia run scenarios/soft_mat/soft_mat.yaml --seed 7 --out out/seed_7": Runs(
            SHORT, leaves=files_in("out/seed_7")
        ),
        "$nodia run scenarios/soft_mat/soft_mat.yaml --envs 64 --seed 100 --out out/batch": Runs(
            SHORT,
            put={"--envs 64": "--envs 3"},
            says="seeds 100 to 102",
            leaves=files_in("out/batch", *RUN_FILES[:3]),
        ),
        "$nodia compare scenarios/soft_mat/soft_mat.yaml --solvers cond,pgs,apgd": Runs(
            SHORT_MAT, says=r"(?s)\ncond .*\npgs .*\napgd "
        ),
        "$nodia solve PROBLEM.hdf5 --tolerance 1e-8": Runs(
            put={"PROBLEM.hdf5": "problems/box.hdf5"}, says="converged"
        ),
        "$nodia view out/soft_mat": Serves("--no-open --port 28300", given=("out/soft_mat",)),
        "$nodia render out/soft_mat --out mat.mp4": Runs(
            "--size 320x200", given=("out/soft_mat",), leaves=("mat.mp4",)
        ),
        "$nodia generate scenarios/quick_lift/quick_lift.yaml data --episodes 200 --seed 7": Runs(
            "--set time.duration_s=0.2", put={"--episodes 200": "--episodes 2"}, says="2 episodes, 10 control steps"
        ),
        "$nodia export data lift --to lerobot": Runs(
            put={" data ": " out/data "}, given=("out/data",), leaves=files_in("lift", "meta/info.json", "README.md")
        ),
        "nodia --help": Runs(
            within="TEXT; for script in demo test bundle gpu_check; do tools/$script.sh --help | grep -q '^Usage'; done",
            says="Usage",
        ),
        "nodia VERB --help": Runs(
            put={"VERB": "$verb"},
            within="for verb in run compare scale solve bench study verify view render generate dataset replay export paper"
            " info; do TEXT | grep -i '^usage'; done",
            says="(?i)usage",
        ),
    },
    "docs/scenarios.md": {"tools/setup.sh": NotHere("it installs packages", "bash -n tools/setup.sh")},
    "docs/limits.md": {"tools/setup.sh": NotHere("it installs packages", "bash -n tools/setup.sh")},
    "docs/pictures/README.md": {
        "nodia render out/mat_folding --size 960x640 --out mat_folding.mp4": Runs(
            put={"out/mat_folding": "out/soft_mat"}, given=("out/soft_mat",), leaves=("mat_folding.mp4",)
        ),
        "python tools/moving_picture.py mat_folding.mp4 docs/pictures/mat_folding.gif": Runs(
            within="mkdir -p docs/pictures; nodia render out/soft_mat --size 320x200 --out mat_folding.mp4; TEXT",
            given=("out/soft_mat",),
            leaves=("docs/pictures/mat_folding.gif",),
        ),
        "tools/moving_picture.py": Runs("--help", within="python TEXT", says="--width"),
    },
    "docs/reliability.md": {
        "tools/campaign.sh --scenes 400 --seed 41": NotHere("it takes half an hour; test_campaign.py does", "tools/campaign.sh --help"),
        "tools/campaign.sh --variants 100 --seed 41": NotHere(
            "it takes half an hour; test_campaign.py does", "tools/campaign.sh --help"
        ),
        "tools/campaign.sh --family seams --scenes 100": NotHere(
            "it takes minutes; test_campaign_families.py does", "tools/campaign.sh --help"
        ),
        "--resume DIR": NotHere("test_campaign.py does", "tools/campaign.sh --help"),
        "tools/check.sh sanitizers": NotHere("it takes hours", "tools/check.sh --help | grep -q sanitizers"),
    },
    "docs/results/README.md": {
        "tools/result_numbers.py": NotHere("test_pages.py does", "python tools/result_numbers.py --help"),
    },
    "docs/datasets.md": {
        "--batch N": Runs(within=DATASET + " TEXT", put={"--batch N": "--batch 2"}, says="2 episodes"),
        "--backend cuda": NotHere("needs a GPU; test_generate_batch.py runs it on the checked host", "nodia generate --backend cuda --help"),
        "nodia generate scenarios/quick_lift/quick_lift.yaml data --episodes 200 --seed 7": Runs(
            "--set time.duration_s=0.2", put={"--episodes 200": "--episodes 2"}, says="2 episodes, 10 control steps"
        ),
        "nodia dataset data": Runs(within=f"{DATASET}; TEXT", says="content_sha256 [0-9a-f]{64}"),
        "nodia replay data --episode 17 --out out/episode_17": Runs(
            within=f"{DATASET}; TEXT",
            put={"--episode 17": "--episode 1"},
            says="every bit as recorded",
            leaves=files_in("out/episode_17"),
        ),
        "nodia view out/episode_17": Serves(
            "--no-open --port 28320", put={"out/episode_17": "out/soft_mat"}, given=("out/soft_mat",)
        ),
        "nodia generate": Runs(within=DATASET.replace("nodia generate", "TEXT"), says="2 episodes"),
        "--seed S --episode K": Runs(
            within="nodia run drawn.yaml --steps 2 TEXT", put={"--seed S": "--seed 7", "--episode K": "--episode 4"}
        ),
        "--episodes 12": Runs(
            put={"--episodes 12": "--episodes 3"},
            within=f"{DATASET}; {MORE_EPISODES}; {SAME_BEGINNING}",
            says="the same two",
        ),
        "--episodes 6": Runs(put={"6": "2"}, within=DATASET.replace("--episodes 2", "TEXT"), says="2 episodes"),
        "--block": Runs(within=f"{DATASET} TEXT 1", says="2 episodes"),
        "--threads": Runs(within=f"{DATASET} TEXT 1", says="2 episodes"),
        "--shard 0/4": Runs(within=f"{DATASET} TEXT", says="2 episodes"),
        "--other-build": Runs(within=f"{DATASET} TEXT", says="2 episodes"),
        "nodia dataset DIR": Runs(within=f"{DATASET}; TEXT", put={"DIR": "data"}, says="2 episodes"),
        "--json": Runs(within=f"{DATASET} >&2; nodia dataset data TEXT", json=True),
        "nodia replay DIR --episode K": Runs(
            within=f"{DATASET}; TEXT", put={"DIR": "data", "--episode K": "--episode 0"}, says="every bit"
        ),
        "--step S": Runs(
            within=f"{DATASET}; nodia replay data --episode 0 TEXT",
            put={"--step S": "--step 2"},
            says="2 control steps",
        ),
        "--out RUN": Runs(
            within=f"{DATASET}; nodia replay data --episode 0 TEXT",
            put={"--out RUN": "--out out/run"},
            leaves=files_in("out/run"),
        ),
        "--view": NotHere("opens a browser", "nodia replay --help | grep -q -e --view"),
    },
    "docs/adding/acceleration.md": {
        "git log --grep 'Heavy-ball momentum is a third acceleration'": NotHere(
            "a tree may have no history", "git --version"
        ),
        "--acceleration": Runs(
            within="for word in none chebyshev nesterov; do nodia run box.yaml --solver cond --steps 2 TEXT $word; done",
            says="converged",
        ),
    },
    "docs/adding/body.md": {
        "git log --grep 'Compounds are rigid bodies of several parts'": NotHere(
            "a tree may have no history", "git --version"
        ),
    },
    "docs/adding/dataset.md": {
        "python3 -m venv meshing": Runs("--without-pip", leaves=("meshing/pyvenv.cfg",)),
        "meshing/bin/pip install -r tools/requirements-mesh.txt": NotHere(
            "it downloads Gmsh", "python -m ast tests/tools/own_egg.py"
        ),
        EGG_GEO: Runs(leaves=("egg.geo",)),
        "meshing/bin/python meshing/bin/gmsh -3 egg.geo -o egg.msh": NotHere(
            "needs Gmsh, which is no part of .venv (tools/requirements-mesh.txt)",
            f"cd own; {EGG_GEO}; ! nodia info egg_lift.yaml --set bodies.egg.mesh.file=egg.stl 2> told;"
            " grep -qF 'gmsh -3 part.geo -o egg.msh' told; grep -qF \"$(cat egg.geo)\" told",
        ),
        "nodia run egg_lift.yaml --check": Runs(
            within="cd own; TEXT", says="passed +converged", leaves=files_in("own/out/egg_lift")
        ),
        "nodia view out/egg_lift": Serves(
            "--no-open --port 28330", put={"out/egg_lift": "out/soft_mat"}, given=("out/soft_mat",)
        ),
        "nodia generate egg_lift.yaml data --episodes 200 --seed 7": Runs(
            put={" data --episodes 200": " data --episodes 2"},
            within="cd own; TEXT",
            says="2 episodes, .* 2 with success; 0 quarantined",
        ),
        "nodia dataset data --json": Runs(within=f"{OWN_DATASET} >&2; TEXT", json=True, says='"redrawn": 0'),
        "nodia replay data --episode 17 --out out/episode_17": Runs(
            within=f"{OWN_DATASET}; TEXT",
            put={"--episode 17": "--episode 1"},
            says="every bit as recorded",
            leaves=files_in("own/out/episode_17"),
        ),
        "nodia export data egg_lerobot --to lerobot": Runs(
            within=f"{OWN_DATASET}; TEXT", leaves=files_in("own/egg_lerobot", "meta/info.json", "README.md")
        ),
    },
    "docs/tutorial.md": {  # test_tutorial.py runs the blocks of commands below the installation
        "apt-get install --yes libgl1 libglu1-mesa libxcursor1 libxft2 libxinerama1 libgomp1": Runs("--simulate"),
        "python3 -m venv ~/nodia_env": Runs("--without-pip", put=HOME, leaves=("home/nodia_env/pyvenv.cfg",)),
        ". ~/nodia_env/bin/activate": Runs(
            "; type python", put=HOME, within="python3 -m venv --without-pip home/nodia_env; TEXT", says="home/nodia_env/bin/python"
        ),
        "pip install '.[render]' -r tools/requirements-mesh.txt matplotlib": Runs(
            "--dry-run", put={"pip": "python -m pip", "'.": f"'{SOURCE}", "tools/": f"{SOURCE}/tools/"}, says="Would install .*gmsh"
        ),
        "mkdir -p ~/grasp": Runs("&& cd home/grasp", put=HOME),
        "cd ~/grasp": Runs(within="mkdir -p home/grasp; TEXT", put=HOME),
        "nodia view out/grasp": Serves("--no-open --port 28340", put={"out/grasp": "out/soft_mat"}, given=("out/soft_mat",)),
    },
    "docs/adding/part_of_w.md": {
        "git log --grep 'Jacobi in blocks is a further part of W'": NotHere(
            "a tree may have no history", "git --version"
        ),
    },
    "docs/adding/shape.md": {
        "git log --grep 'A torus is a collision shape'": NotHere("a tree may have no history", "git --version"),
    },
    "docs/adding/scenario.md": {
        "nodia render out/soft_mat --out docs/pictures/soft_mat.png": Runs(
            within="mkdir -p docs/pictures; TEXT",
            given=("out/soft_mat",),
            leaves=("docs/pictures/soft_mat.png",),
        ),
    },
    "docs/adding/solver.md": {
        "nodia run scenarios/box_sliding/box_sliding.yaml --solver jacobi --set solver.jacobi.damping=0.7": NotHere(
            "test_documented_code.py builds the page's solver and does", "nodia run --help"
        ),
        "nodia compare scenarios/soft_mat/soft_mat.yaml --solvers cond,jacobi": NotHere(
            "test_documented_code.py builds the page's solver and does", "nodia compare --help"
        ),
    },
    "docs/architecture.md": {
        "tools/bits.sh --check": NotHere("it takes minutes and is run for changes", "tools/bits.sh --help"),
        "tools/check.sh": NotHere("two of its parts run with every submission", "tools/check.sh --help"),
        "tools/bits.sh --compare": NotHere("the same", "tools/bits.sh --help"),
        "tools/test_report.py": NotHere("tests/tools/test_test_report.py does", "tools/test_report.py --help"),
        "tools/test.sh --quick": NotHere("it is what runs this", "tools/test.sh --quick --help"),
        "tools/test.sh --write-slow": NotHere("it is what runs this", "tools/test.sh --write-slow --help"),
        "tools/planted_faults.sh": NotHere("it takes an hour", "tools/planted_faults.sh --help"),
        "tools/demo.sh": NotHere("the entry of README.md runs it", "tools/demo.sh --help"),
        "tools/build.sh --demo": NotHere("what runs this has built it", "tools/build.sh --demo --help"),
        "nodia": Runs("--version", says="nodia 0"),
        "tools/build.sh": NotHere("what runs this has built it", "tools/build.sh --help"),
        "tools/wheel.sh": NotHere("tests/python/test_package.py does", "tools/wheel.sh --help"),
        "tools/build_times.sh": NotHere("it builds everything again", "tools/build_times.sh --help"),
    },
    "docs/batches.md": {
        "nodia run SCENARIO.yaml --envs 64 --seed 100 --record-envs 0,17": Runs(
            "--steps 2 --out out/batch",
            put={"SCENARIO.yaml": "drawn.yaml"},
            leaves=files_in("out/batch", *RUN_FILES[:3], "trajectory_env0000.vtkhdf")
            + files_in("out/batch", "trajectory_env0017.vtkhdf", "config_env0017.yaml"),
        ),
        "nodia bench --cases batch_set_up --nodes 60 --envs 1000,10000 --batch-nodes 2000000": Runs(
            put={"1000,10000": "2,4"}, says="batch_set_up"
        ),
        "nodia run SCENARIO.yaml --seed 100 --episode 17": Runs(
            "--steps 2 --out out/episode",
            put={"SCENARIO.yaml": "drawn.yaml"},
            leaves=files_in("out/episode"),
        ),
        "--envs N": Runs(within="nodia run drawn.yaml --steps 2 TEXT", put={"N": "2"}, says="seeds 0 to 1"),
        "--seed S+e": Runs(within="nodia run drawn.yaml --steps 2 TEXT", put={"S+e": "117"}),
        "--record-envs all|none|0,17,...": Runs(
            within="for which in none 0,1 all; do nodia run drawn.yaml --steps 2 --envs 2 --overwrite TEXT; done",
            put={"all|none|0,17,...": "$which"},
            leaves=files_in("out/drawn_box", "trajectory_env0001.vtkhdf"),
        ),
        "nodia view DIR --env 17": Serves(
            "--no-open --port 28400", put={"DIR": "out/batch", "17": "1"}, given=("out/batch",)
        ),
    },
    "docs/exporting.md": {
        "nodia export out/data out/data_lerobot --to lerobot": Runs(
            given=("out/data",), leaves=files_in("out/data_lerobot", "meta/info.json", "README.md"), says="episodes"
        ),
        "nodia export out/data out/data_robomimic --to robomimic": Runs(
            given=("out/data",), leaves=files_in("out/data_robomimic", "dataset.hdf5"), says="quarantined left out"
        ),
        "--all": Runs(
            within="nodia export out/data out/new --to robomimic TEXT", given=("out/data",), leaves=("out/new/README.md",)
        ),
        "--without ball.nodes": Runs(
            within="nodia export out/data out/new --to lerobot TEXT", given=("out/data",), leaves=("out/new/README.md",)
        ),
        "tools/dataset_readers.sh": NotHere("it downloads 8 GB", "tools/dataset_readers.sh --help"),
    },
    "docs/gpu.md": {
        "tools/bundle.sh nodia.tar.xz": NotHere("test_bundle.py does", "tools/bundle.sh --help"),
        "python3 -m tarfile -e nodia.tar.xz": NotHere(
            "test_bundle.py does", "python3 -m tarfile --help"
        ),
        "nodia_bundle/tools/gpu_check.sh first.json --budget 240": NotHere(
            "takes minutes where there is a GPU; test_bundle.py and test_gpu_check.py do",
            "tools/gpu_check.sh --help",
        ),
        "nodia_bundle/tools/gpu_check.sh second.json --parts profile,sanitizer": NotHere(
            "takes minutes where there is a GPU; test_bundle.py and test_gpu_check.py do",
            "tools/gpu_check.sh --help",
        ),
        "tools/gpu_check.sh": NotHere("the same in a bundle", "tools/gpu_check.sh --help"),
        "nodia bench --cases product": NotHere(
            "needs a GPU; tools/gpu_check.sh does", "nodia bench --cases product --help"
        ),
        "nodia bench --cases step": Runs(
            "--nodes 200 --steps 1 --rounds 1", says=r"step .*cpu"
        ),
        "nodia_bundle/run PROGRAM": NotHere("test_bundle.py does", "tools/bundle.sh --help"),
        "--backend auto": Runs(within="nodia run box.yaml --steps 2 TEXT", says="backend +cpu"),
        "nodia generate --shard i/n": Runs(
            DATASET.removeprefix("nodia generate "), put={"i/n": "1/2"}, says="of 2 episodes"
        ),
        "nodia generate --backend cuda": NotHere(
            "needs a GPU; test_generate_batch.py runs it on the checked host", "nodia generate --backend cuda --help"
        ),
        "--batch": Runs(within="nodia generate --help | grep -e TEXT", says="as one batch"),
        "--threads": Runs(within="nodia generate --help | grep -e TEXT", says="core"),
    },
    "docs/launching.md": {
        "mpirun -n 4 nodia generate lift.yaml data --episodes 10000 --seed 7 --threads 1": NotHere(
            "needs MPI; tools/launch/test.sh does", "nodia generate --help"
        ),
        "sbatch --array=0-7 --cpus-per-task=16 slurm_generate.sbatch lift.yaml data --episodes 10000 --seed 7": NotHere(
            "needs Slurm; tools/launch/test.sh does", "bash -n tools/launch/slurm_generate.sbatch"
        ),
        "python ray_generate.py --address auto lift.yaml data --episodes 10000 --seed 7": NotHere(
            "needs Ray; tools/launch/test.sh does", "python -m ast tools/launch/ray_generate.py"
        ),
        "python -c \"import nodia; print(nodia.__path__[0] + '/data/launch')\"": Runs(
            within="PYTHONPATH=build/release/python TEXT", says="nodia/data/launch"
        ),
        "nodia generate": Runs("--help", says="--episodes"),
        "--shard": Runs(within="nodia generate --help | grep -e TEXT", says="I/N"),
        "--tasks": NotHere("of ray_generate.py", "grep -q -e --tasks tools/launch/ray_generate.py"),
        "--cpus": NotHere("of ray_generate.py", "grep -q -e --cpus tools/launch/ray_generate.py"),
        "tools/launch/test.sh": NotHere("it takes minutes, Ray and Slurm", "tools/launch/test.sh --help"),
    },
    "docs/library.md": {
        "cmake --install build/release --prefix PREFIX": Runs(
            put={"PREFIX": "prefix"}, leaves=("prefix/include/nodia/host/simulation/simulation.hpp",)
        ),
    },
    "docs/tasks.md": {
        "nodia generate": Runs(within=DATASET.replace("nodia generate", "TEXT"), says="2 episodes"),
    },
    "docs/gym.md": {
        "python examples/learning/cross_entropy.py --plot learning.png": Runs(
            "--help", within="PYTHONPATH=build/release/python TEXT", says="--seeds"
        ),
    },
    "docs/python.md": {
        "pip install .": NotHere("compiles for minutes; tests/python/test_package.py does", "test -f pyproject.toml"),
        "nodia": Runs("--version", says="nodia 0"),
        "tools/demo.sh": NotHere("the entry of README.md runs it", "tools/demo.sh --help"),
        "tools/build.sh python": NotHere("what runs this has built it", "tools/build.sh python --help"),
        "tools/wheel.sh": NotHere("compiles for minutes; tests/python/test_package.py does", "tools/wheel.sh --help"),
    },
    "docs/outputs.md": {
        "nodia info SCENARIO.yaml --envs 64": Runs(put={"SCENARIO.yaml": "box.yaml"}, says="memory +about"),
        "nodia verify out/soft_mat": Runs(given=("out/soft_mat",), says="good"),
        "nodia run scenarios/soft_mat/soft_mat.yaml --checkpoint-every 0.5 --resume": Runs(
            SHORT, leaves=files_in("out/soft_mat")
        ),
        "--overwrite": Runs(within=f"{BOX.replace('TEXT', '')}; {BOX}", leaves=files_in("out/box")),
        "--csv": Runs(
            within="nodia solve problems/box.hdf5 --table --solvers pgs TEXT table.csv", leaves=("table.csv",)
        ),
        "--export": Runs(
            within="nodia solve box.yaml --step 8 TEXT fclib new.hdf5", leaves=("new.hdf5",)
        ),
        "nodia view out/soft_mat": Serves("--no-open --port 28500", given=("out/soft_mat",)),
        "nodia render out/soft_mat --out mat.mp4": Runs(
            "--size 320x200", given=("out/soft_mat",), leaves=("mat.mp4",)
        ),
    },
    "docs/performance.md": {
        "nodia bench --cases parts --threads 1,2": Runs("--nodes 60 --backend cpu", says="judgement"),
    },
    "docs/results/2026-11-22.md": {
        "nodia compare --suite accuracy --samples 6 --seconds 8": Runs(
            "--cases box_sliding", says=r"box_sliding .*auto"
        ),
        "nodia paper table3 table6 table7": NotHere(
            "it takes minutes; test_paper.py makes the tables",
            "nodia paper table7 --trials 1 --steps 1 --out out/paper",
        ),
        "--seed 0": Runs(within="nodia run drawn.yaml TEXT --steps 2"),
        "nodia solve FILE --tolerance 1e-8": Runs(
            put={"FILE": "problems/sliding.dat"}, says="proximal_newton"
        ),
    },
    "docs/results/2026-11-23.md": {
        "nodia bench --cases assembly,detection,search,parts --nodes 150000 --threads 1,2 --backend cpu": NotHere(
            "it takes minutes",
            "nodia bench --cases assembly,detection,search,parts --nodes 1500 --threads 1,2 --backend cpu --quick",
        ),
    },
    "docs/results/2026-11-26.md": {
        "tools/gpu_check.sh": NotHere("the same in a bundle", "tools/gpu_check.sh --help"),
    },
    "docs/results/2026-11-27.md": {
        "tools/gpu_check.sh first.json --budget 240": NotHere(
            "takes minutes where there is a GPU; test_gpu_check.py does", "tools/gpu_check.sh --help"
        ),
        "tools/gpu_check.sh second.json --parts profile,sanitizer": NotHere(
            "takes minutes where there is a GPU; test_gpu_check.py does", "tools/gpu_check.sh --help"
        ),
        "nodia bench --backend cuda": NotHere(
            "needs a GPU; tools/gpu_check.sh does", "nodia bench --backend cuda --help"
        ),
    },
    "docs/solver.md": {
        "--solver newton": Runs(within="nodia run box.yaml --steps 2 TEXT", says="newton"),
    },
    "docs/solvers.md": {
        "--samples": Runs(
            within="nodia compare --suite accuracy --cases box_sliding TEXT 1", says=r"box_sliding .*auto"
        ),
        "--seconds": Runs(
            within="nodia compare --suite accuracy --cases box_sliding --samples 1 TEXT 0.5", says="auto"
        ),
        "nodia compare scenarios/soft_mat/soft_mat.yaml --solvers cond,pgs,apgd": Runs(
            SHORT_MAT, says=r"(?s)\ncond .*\npgs .*\napgd "
        ),
        "nodia compare scenarios/soft_mat/soft_mat.yaml --ablation": Runs(
            SHORT_MAT, says=r"frobenius .*without / with Chebyshev"
        ),
        "nodia solve PROBLEM.hdf5 --tolerance 1e-8": Runs(
            put={"PROBLEM.hdf5": "problems/box.hdf5"}, says="converged"
        ),
        "nodia solve FOLDER --table --csv table.csv": Runs(
            put={"FOLDER": "problems"},
            leaves=("table.csv",),
            fills=("error_siconos", "iterations", "time_s"),
            says=r"(?s)cond.*pgs.*apgd",
        ),
        "--solver NAME": Runs(within=BOX, put={"NAME": "pgs"}, says="solver +pgs"),
        "nodia solve FILE": Runs(put={"FILE": "problems/box.nodia.h5"}, says="converged"),
        "--step N": Runs(within="nodia solve box.yaml TEXT", put={"N": "2"}, says="converged"),
        "--solver auto": Runs(within="nodia solve problems/sliding.dat TEXT", says="proximal_newton"),
        "--export fclib FILE.hdf5": Runs(
            within="nodia solve box.yaml TEXT", put={"FILE.hdf5": "new.hdf5"}, leaves=("new.hdf5",)
        ),
    },
    "scenarios/assets/README.md": {"tet_mesh.py": NEEDS_GMSH},
    "scenarios/box_sliding/README.md": {
        "nodia run scenarios/box_sliding/box_sliding.yaml --set solver.bias_cancellation=false"
        " --set solver.virtual_gain_N_s_m=1e3": Runs(SHORT, leaves=files_in("out/box_sliding")),
        "nodia run scenarios/box_sliding/box_sliding.yaml --solver penalty"
        " --set solver.penalty.integration=explicit --set solver.penalty.gain=1"
        " --set contact.penetration_recovery=1 --set contact.recovery_speed_m_s=1000": Runs(
            SHORT, leaves=files_in("out/box_sliding")
        ),
        "gain=1": Runs(within=PENALTY),
        "gain=10": Runs(within=PENALTY),
        "integration=implicit": Runs(within=PENALTY),
    },
    "scenarios/cable_benchmark/README.md": {
        "nodia run scenarios/cable_benchmark/cable_benchmark.yaml --set tool.track=TRACK.txt"
        " --set check.reference=REFERENCE.csv --check --out DIR": Runs(
            "--steps 650 --set check.force_rms_bound_N=9 --set check.position_bound_m=0.1",
            put={
                "TRACK.txt": "scenarios/cable_benchmark/tool_track.txt",
                "REFERENCE.csv": "scenarios/cable_benchmark/closed_form.csv",
                "DIR": "out/cable",
            },
            leaves=files_in("out/cable"),
        ),
        "nodia run scenarios/cable_benchmark/cable_benchmark.yaml --steps 1500 --set cable.links=120"
        " --solver xpbd --set solver.xpbd.substeps=100": Runs(
            "--set checks={}", put={"--steps 1500": "--steps 2"}, says="solver +xpbd"
        ),
        "make_track.py": Runs(within=MADE.format("cable_benchmark")),
        "--set cable.links=80": Runs(within=CABLE),
        "--set cable.friction=0.6": Runs(within=CABLE),
        "--set check.reference=scenarios/cable_benchmark/closed_form.csv": Runs(
            within="nodia run scenarios/cable_benchmark/cable_benchmark.yaml TEXT --steps 650",
            says=r"check\.force",
        ),
        "--set cable.drag_translation_N_s_m=0 --set cable.drag_rotation_Nms_rad=0": Runs(within=CABLE),
        "--set time.geometric_stiffness=true": Runs(within=CABLE),
    },
    "scenarios/cable_winding/README.md": {
        "make_track.py": Runs(within=MADE.format("cable_winding")),
        "--solver pgs": Runs(within=WINDING, says="solver +pgs"),
        "--set cable.drag_rotation_Nms_rad=1e-4": Runs(within=WINDING),
    },
    "scenarios/mat_folding/README.md": {"make_arm.py": Runs(within=MADE.format("mat_folding"))},
    "scenarios/panda_grip/README.md": {
        "pip install --no-deps example-robot-data==6.0.0": NotHere(
            "packaged_robots.py installs it", "test -f tests/python/packaged_robots.py"
        ),
        """site=$(python3 -c 'import sysconfig; print(sysconfig.get_path("purelib"))')""": Runs("; test -d $site"),
        "nodia run panda_grip --check --package example-robot-data=$site/cmeel.prefix/share/example-robot-data": NotHere(
            "needs the package; test_packaged_robots.py runs it", "test -f scenarios/panda_grip/panda_grip.yaml"
        ),
    },
    "scenarios/soft_ball/README.md": {
        "nodia run scenarios/soft_ball/soft_ball.yaml --seed 1 --envs 4": Runs(
            SHORT, says="seeds 1 to 4", leaves=files_in("out/soft_ball", *RUN_FILES[:3])
        ),
        "--solver cond": Runs(
            within=f"nodia run scenarios/soft_ball/soft_ball.yaml TEXT {SHORT}", says="solver +cond"
        ),
    },
    "scenarios/soft_gripper/README.md": {
        "--seed": Runs(within=f"nodia run scenarios/soft_gripper/soft_gripper.yaml TEXT 3 {SHORT}"),
        "nodia run scenarios/soft_gripper/soft_gripper.yaml --solver cond --acceleration nesterov"
        " --set solver.virtual_gain=100 --max-iterations 10000": Runs(SHORT, says="solver +cond"),
    },
    "scenarios/soft_mat/README.md": {
        "nodia run scenarios/soft_mat/soft_mat.yaml --seed 1 --set time.step_s=0.005": Runs(
            SHORT, leaves=files_in("out/soft_mat")
        ),
        "nodia compare scenarios/soft_mat/soft_mat.yaml --seed 1 --solvers cond,ccs --threads 1"
        " --tolerance 1e-12 --max-iterations 50": Runs(
            SHORT_MAT.replace("--threads 1", ""), says=r"(?s)\ncond .*\nccs "
        ),
        "solver.ccs.penalty=3": Runs(within=BOX.replace("TEXT", "--solver ccs --set TEXT")),
    },
}


def how_of(page, text):
    """The entry of a text; None where there is none."""
    if WITH_CHECKS.fullmatch(text):
        return Runs(SHORT, says="scenario ")
    return COMMANDS.get(page, {}).get(text) or COMMANDS[ANY_PAGE].get(text)


def shown():
    """Every text of every page with its entry, as parameters of a test; once where pages share text and entry."""
    parameters, known = [], set()
    run_by_the_tutorial = set(shown_after_the_installation())
    for page in pages():
        for text in shown_commands(page):
            how = how_of(page, text)
            if page == TUTORIAL and text in run_by_the_tutorial:
                continue
            if how and (text, repr(how)) in known:
                continue
            known.add((text, repr(how)))
            parameters.append(pytest.param(page, text, how, id=f"{page}: {text}"))
    return parameters


def nodia(*words, cwd):
    subprocess.run([BINARY, *words], cwd=cwd, check=True, capture_output=True, timeout=120)


@pytest.fixture(scope="session")
def given(tmp_path_factory):
    """What commands of the pages work on: scenarios box.yaml and drawn.yaml (which draws a value), problems/, the
    directories of two runs, a dataset, and own/ with the scenario of docs/adding/dataset.md and what that names."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "box.yaml").write_text(SLIDING_BOX)
    drawn = SLIDING_BOX.replace("name: sliding_box", "name: drawn_box")
    drawn += "randomize: {bodies.box.friction: [0.1, 0.5]}\n"
    (folder / "drawn.yaml").write_text(drawn)
    (folder / "problems").mkdir()
    # u = W r + q of one contact, as Siconos writes it: pressed down and pushed aside
    (folder / "problems/sliding.dat").write_text("3 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 -2 3 0 0.5 0\n")
    for kind, name in (("fclib", "box.hdf5"), ("nodia", "box.nodia.h5")):
        nodia("solve", "box.yaml", "--step", "8", "--export", kind, f"problems/{name}", cwd=folder)
    soft_mat = SOURCE / "scenarios/soft_mat/soft_mat.yaml"
    nodia("run", soft_mat, "--steps", "2", "--out", "out/soft_mat", cwd=folder)
    batch = ["run", "drawn.yaml", "--envs", "2", "--record-envs", "all", "--steps", "2"]
    nodia(*batch, "--out", "out/batch", cwd=folder)
    write_dataset(folder / "out/data")
    (folder / "own").mkdir()
    write_egg(folder / "own")
    return folder


@pytest.fixture
def workspace(given, tmp_path):
    """A folder that looks like the root of the tree after a build, and what is given. Its tools/setup.sh and
    tools/build.sh do nothing; `nodia` and `python` are on the path."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build/release").symlink_to(BINARY.parents[1])
    for name in ("scenarios", "tests", "python", "examples", "pyproject.toml"):
        (tmp_path / name).symlink_to(SOURCE / name)
    (tmp_path / "problems").symlink_to(given / "problems")
    for name in ("box.yaml", "drawn.yaml"):
        shutil.copy(given / name, tmp_path)
    shutil.copytree(given / "own", tmp_path / "own")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/launch").symlink_to(SOURCE / "tools/launch")
    for script in (*SOURCE.glob("tools/*.sh"), *SOURCE.glob("tools/*.py")):
        shutil.copy(script, tmp_path / "tools")
    for name, line in (
        ("tools/setup.sh", "exit 0"),
        ("tools/build.sh", "exit 0"),
        ("bin/nodia", f'exec "{BINARY}" "$@"'),
        ("bin/python", f'exec "{sys.executable}" "$@"'),
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)
    return tmp_path


def command_of(text, how):
    for word, instead in how.put.items():
        assert word in text, f"{word} is not in `{text}`: mend the entry's `put`"
        text = text.replace(word, instead)
    return text


def prepare(workspace, given, how):
    for directory in how.given:
        shutil.copytree(given / directory, workspace / directory)


def environment(workspace):
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    path = f"{workspace / 'bin'}:{os.environ['PATH']}"
    return kept | {"PATH": path, "NODIA_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}


def bash(command):
    return ["bash", "-euc", f"nodia=build/release/bin/nodia\n{command}"]


def run_command(command, workspace, timeout):
    done = subprocess.run(
        bash(command),
        cwd=workspace,
        env=environment(workspace),
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, f"{command}\nended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def serve(command, workspace):
    """Runs a viewer until its page answers, and interrupts it."""
    words = bash(f"exec {command}")
    viewer = subprocess.Popen(
        words, cwd=workspace, env=environment(workspace), stdout=subprocess.PIPE, text=True
    )
    try:
        address = re.match(r"http://127\.0\.0\.1:\d+", viewer.stdout.readline())
        assert address, f"{command} does not name its address first"
        with urllib.request.urlopen(address.group(), timeout=20) as page:
            assert page.status == 200
        viewer.send_signal(signal.SIGINT)
        assert viewer.wait(timeout=30) == 0
    finally:
        viewer.kill()
        viewer.stdout.close()


def expect_file(path, columns):
    """A file that its kind of reader reads, with something in it."""
    assert path.stat().st_size > 0, f"{path.name} is empty"
    kind = path.suffix
    if kind == ".json":
        assert json.loads(path.read_text())
    elif kind == ".yaml":
        assert yaml.safe_load(path.read_text())
    elif kind in (".vtkhdf", ".hdf5"):
        with h5py.File(path) as file:
            assert len(file)
    elif kind in (".png", ".gif", ".mp4"):
        assert np.std(imageio.imread(path) if kind == ".png" else imageio.mimread(path)[0]) > 1
    elif kind == ".csv":
        with path.open() as file:
            rows = list(csv.DictReader(file))
        assert rows and all(math.isfinite(float(row[name])) for row in rows for name in columns)
    else:
        assert path.read_text()


@pytest.mark.parametrize(("page", "text", "how"), shown())
def test_a_command_of_a_page_runs(page, text, how, workspace, given):
    assert how, (
        f"{page} shows `{text}`, of which COMMANDS[{page!r}] in tests/tools/test_documented_commands.py"
        f" says nothing: add how it is run, e.g. {text!r}: Runs('--steps 2', leaves=files_in('out/NAME'))"
    )
    if isinstance(how, NotHere):
        run_command(how.but, workspace, 120)
        return
    prepare(workspace, given, how)
    text = command_of(text, how)
    if isinstance(how, Serves):
        serve(f"{text} {how.more}", workspace)
        return
    command = f"{how.within.replace('TEXT', text)} {how.more}"
    out = run_command(command, workspace, 1500 if how.slow else 120)
    assert re.search(how.says, out), f"{command} does not say {how.says}:\n{out}"
    if how.json:
        assert isinstance(json.loads(out), dict)
    for k, name in enumerate(how.leaves):
        assert (workspace / name).exists(), f"{command} leaves no {name}"
        expect_file(workspace / name, how.fills if k == 0 else ())


def test_every_entry_is_of_a_command_that_its_page_shows():
    shown_on = {page: shown_commands(page) for page in pages()}
    shown_on[ANY_PAGE] = [text for texts in shown_on.values() for text in texts]
    stale = [
        f"{page}: `{text}`"
        for page, entries in COMMANDS.items()
        for text in entries
        if text not in shown_on.get(page, [])
    ]
    assert not stale, f"no page shows these any more, take them out of COMMANDS: {stale}"
