"""tools/bundle.sh: what it packs runs elsewhere, with nothing but what it holds."""

import json
import os
import re
import subprocess
import sys

import pytest
from nodia_command import BINARY, SOURCE, needs_nodia

pytestmark = [needs_nodia, pytest.mark.slow]

# What a bundle may take from the machine: glibc and the NVIDIA driver.
GLIBC = r"(ld-linux-x86-64|linux-vdso|lib(c|m|mvec|dl|rt|pthread|resolv|util))\.so\.\d+"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundle")
    packed = folder / "packed.tar.xz"
    done = subprocess.run(
        [str(SOURCE / "tools/bundle.sh"), str(packed)],
        env=os.environ | {"NODIA_BUILD_DIR": str(BINARY.parents[1])},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    size = re.search(r"packed\.tar\.xz: ([0-9.]+) MB\n", done.stdout)
    assert size and abs(float(size[1]) - packed.stat().st_size / 1e6) < 0.1
    assert packed.stat().st_size <= 45 << 20
    elsewhere = folder / "else where"
    elsewhere.mkdir()
    unpack = [sys.executable, "-m", "tarfile", "-e", str(packed), str(elsewhere)]
    subprocess.run(unpack, check=True)
    return elsewhere / "nodia_bundle"


def run_bundled(bundle, *words, timeout=120):
    """With an emptied environment, from the root folder."""
    return subprocess.run(
        [str(bundle / "run"), *map(str, words)],
        env={"PATH": "/usr/bin:/bin"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def test_info(bundle):
    done = run_bundled(bundle, "nodia", "info", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["solvers"]


def test_a_scenario_runs_some_steps(bundle, tmp_path):
    words = ["run", bundle / "scenarios/soft_mat/soft_mat.yaml", "--steps", 3, "--json"]
    done = run_bundled(bundle, "nodia", *words, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["steps"] == 3


def test_every_library_but_glibc_lies_in_the_bundle(bundle):
    for program in sorted((bundle / "bin").iterdir()):
        done = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            name, *found = line.split()
            if not re.fullmatch(GLIBC, os.path.basename(name)):
                assert found[1].startswith(str(bundle / "bin")) or line.split("=> ")[1].startswith(
                    str(bundle)
                ), line


def test_data_are_read_from_the_bundle(bundle):
    """Of the program and of the test programs."""
    scenario = bundle / "scenarios/soft_mat/soft_mat.yaml"
    away = scenario.with_suffix(".away")
    scenario.rename(away)
    try:
        done = run_bundled(bundle, "nodia", "bench")
        assert done.returncode == 2 and str(scenario) in done.stderr
        test = bundle / "bin/test_fem"
        if test.exists():
            done = run_bundled(bundle, "test_fem", "--gtest_filter=SoftMatMesh*")
            assert done.returncode == 0, done.stdout
            mesh = bundle / "scenarios/soft_mat/soft_mat.msh"
            mesh.rename(away.with_suffix(".mesh"))
            done = run_bundled(bundle, "test_fem", "--gtest_filter=SoftMatMesh*")
            away.with_suffix(".mesh").rename(mesh)
            assert done.returncode != 0 and str(mesh) in done.stdout
    finally:
        away.rename(scenario)


def test_gpu_check_starts_in_the_bundle(bundle, tmp_path):
    done = subprocess.run(
        [str(bundle / "tools/gpu_check.sh"), "none.txt"],
        env={"PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2 and "must end in .json" in done.stderr


def test_unknown_programs_are_named(bundle):
    done = run_bundled(bundle, "nodja")
    assert done.returncode == 2 and "nodja" in done.stderr and "nodia" in done.stderr


@pytest.mark.parametrize("arguments", [["out.tar.gz"], ["a.tar.xz", "b.tar.xz"]])
def test_bad_arguments(arguments):
    done = subprocess.run(
        [str(SOURCE / "tools/bundle.sh"), *arguments], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2 and done.stderr.count("\n") == 1
