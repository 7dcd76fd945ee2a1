"""tools/bundle.sh: what it packs runs elsewhere, with nothing but what it holds."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from nodia_command import BINARY, SOURCE, needs_nodia

pytestmark = [needs_nodia]

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


def copied(root, *paths):
    """Files of this machine, at their places in another root folder."""
    for path in paths:
        target = root / str(path).lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


@pytest.fixture(scope="module")
def empty_debian(bundle, tmp_path_factory):
    """A root folder with glibc, a shell and what every Debian's coreutils are; no library but those, no Python."""
    root = tmp_path_factory.mktemp("root")
    tools = ["/bin/sh", "/usr/bin/dirname", "/bin/ls", "/usr/bin/tr"]
    loaded = subprocess.run(["ldd", *tools], capture_output=True, text=True, check=True).stdout
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    glibc = re.findall(r"^\s+(\S+) \(libc6,x86-64[^)]*\) => (\S+)", known, re.M)
    copied(root, *tools, *re.findall(r"(?:=> |^\s+)(/\S+) \(0x", loaded, re.M))
    copied(root, *(path for name, path in glibc if re.fullmatch(GLIBC, name)))
    copied(root, "/lib64/ld-linux-x86-64.so.2")
    shutil.copytree(bundle, root / "opt/nodia_bundle", symlinks=True)
    (root / "tmp").mkdir()
    return root


def run_in(root, *words):
    """In the root folder, as its superuser, with an emptied environment."""
    enter = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]
    return subprocess.run(
        [*enter, str(root), "/opt/nodia_bundle/run", *map(str, words)],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_it_runs_where_there_is_nothing_but_glibc_and_a_shell(empty_debian):
    done = run_in(empty_debian, "nodia", "info", "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["solvers"], done.stderr
    scenario = "/opt/nodia_bundle/scenarios/soft_ball/soft_ball.yaml"
    done = run_in(empty_debian, "nodia", "run", scenario, "--steps", 2, "--json", "--out", "/tmp/run")
    assert done.returncode == 0 and json.loads(done.stdout)["steps"] == 2, done.stderr
    done = run_in(empty_debian, "test_kernels", "--gtest_filter=Projection*:Device*:OnDevice*")
    assert done.returncode == 0, done.stdout
    assert "[  PASSED  ]" in done.stdout


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
