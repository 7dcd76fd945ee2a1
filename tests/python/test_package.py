"""nodia built from the source tree by others: the package, installed into a fresh environment and as a wheel where there is
Python alone, and a folder of another project."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

import pytest
from built_package import BINARY, SOURCE
from library_example import EXAMPLE, expect_a_ball_that_falls_and_lies, forces
from ten_lines import give, ten_lines

# What a wheel may take from a machine: glibc and what the smallest Debian holds.
OF_EVERY_DEBIAN = r"(ld-linux-x86-64|linux-vdso|lib(c|m|mvec|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+|z))\.so\.\d+"
BARE = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
# A policy that wants the middle of every bound.
STAY = """\
class Stay:
    def __init__(self, task):
        self.middle = (task.low + task.high) / 2

    def act(self, observation):
        return self.middle
"""
PNG = b"\x89PNG\r\n\x1a\n"


def done(*words, **how):
    result = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=1800, **how)
    assert result.returncode == 0, f"{' '.join(map(str, words))}:\n{result.stdout[-4000:]}{result.stderr[-4000:]}"
    return result.stdout


@pytest.fixture(scope="module")
def build_folder():
    """A new folder beside the build folders of the tree, so that relative paths, and with them the compiler cache, agree."""
    folder = Path(tempfile.mkdtemp(prefix="test_package.", dir=SOURCE / "build"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def werror():
    """Whether warnings are errors in the build of the tree: a flag of every object in the compiler cache."""
    return re.search(r"^NODIA_WERROR:\w+=(\w+)", (BINARY.parents[1] / "CMakeCache.txt").read_text(), re.M)[1]


@pytest.fixture(scope="module")
def settings(build_folder, werror):
    """Options of pip: the configuration of the tree's build, so that the compiler cache serves it."""
    settings = {"build-dir": build_folder, "cmake.define.NODIA_WERROR": werror, "cmake.define.NODIA_KERNELS": "native"}
    return [f"--config-settings={key}={value}" for key, value in settings.items()]


@pytest.fixture(scope="module")
def installed(settings, tmp_path_factory):
    """Folder of a fresh Python environment in which pip installed the tree, with the log of the compiler cache."""
    folder = tmp_path_factory.mktemp("installed")
    done(sys.executable, "-m", "venv", folder / "fresh")
    environment = {**without_display(), "CCACHE_STATSLOG": str(folder / "ccache.log")}
    words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", *settings, SOURCE]
    done(folder / "fresh/bin/python", *words, env=environment)
    return folder


def without_display():
    """The environment of a person without a screen, and without the packages of this one."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "PYTHONPATH")}
    return environment | {"PATH": BARE["PATH"]}


@pytest.fixture(scope="module")
def wheel(installed, settings, tmp_path_factory):
    """Made from the build folder that pip has left."""
    out = tmp_path_factory.mktemp("wheel")
    path = Path(done(SOURCE / "tools/wheel.sh", out, *settings).splitlines()[-1])
    assert path.parent == out and re.fullmatch(r"nodia-[\d.]+-cp3\d+-cp3\d+-manylinux_2_\d+_x86_64\.whl", path.name)
    return path


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as file:
        for member in file.infolist():
            path = Path(file.extract(member, folder))
            path.chmod(member.external_attr >> 16 or 0o644)
    return folder


def test_a_wheel_holds_every_library_but_those_of_every_debian(unpacked):
    programs = [*unpacked.glob("nodia/bin/*"), *unpacked.glob("nodia/*.so"), *unpacked.glob("nodia.libs/*")]
    assert len(programs) > 5
    for program in programs:
        for line in done("ldd", program, env=BARE).splitlines():
            name, *found = line.split()
            if not re.fullmatch(OF_EVERY_DEBIAN, os.path.basename(name)) and "statically" not in line:
                assert found[1].startswith(str(unpacked)), (program, line)


def test_a_wheel_has_no_cholmod_and_no_cuda(unpacked):
    names = [path.name for path in unpacked.rglob("*")]
    assert not [name for name in names if re.search("cholmod|cudart|openblas|metis", name)]
    info = json.loads(done(unpacked / "nodia/bin/nodia", "info", "--json", env=BARE))
    assert not info["cholmod"] and not info["cuda_compiled"]


def libraries_of(*programs):
    """Paths of the libraries that they load."""
    found = set()
    for line in done("ldd", *programs).splitlines():
        found |= set(re.findall(r"(?:=> |^\s+)(/\S+) \(0x", line))
    return {path for path in found if not path.startswith(tuple(str(Path(p).parent) for p in programs))}


@pytest.fixture(scope="module")
def empty_root(unpacked, tmp_path_factory):
    """A root folder with Python, what it loads, and the wheel with the packages that it names; nothing else: no shell."""
    root = tmp_path_factory.mktemp("root")
    executable = Path(sysconfig.get_config_var("BINDIR")) / f"python3.{sys.version_info.minor}"
    executable = executable.resolve()
    library = Path(sysconfig.get_path("stdlib"))
    parts = [executable, *library.glob("lib-dynload/*.so")]
    loaded = libraries_of(*parts)
    known = done("/sbin/ldconfig", "-p")
    for name, path in re.findall(r"^\s+(\S+) \(libc6,x86-64[^)]*\) => (\S+)", known, re.M):
        if re.fullmatch(OF_EVERY_DEBIAN, name):
            loaded.add(path)
    for path in [*loaded, str(executable)]:
        target = root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    (root / "lib64").mkdir(exist_ok=True)
    shutil.copy("/lib64/ld-linux-x86-64.so.2", root / "lib64")
    left_out = shutil.ignore_patterns("test", "tests", "site-packages", "dist-packages", "config-*", "idlelib", "__pycache__")
    shutil.copytree(library, root / str(library).lstrip("/"), ignore=left_out, dirs_exist_ok=True)
    site = root / "site"
    shutil.copytree(unpacked, site)
    packages = Path(sysconfig.get_path("purelib"))
    for name in ("numpy", "numpy.libs", "yaml", "trimesh"):
        if (packages / name).exists():
            shutil.copytree(packages / name, site / name, ignore=left_out)
    for name in ("tmp", "place"):
        (root / name).mkdir()
    return root, executable


def in_root(empty_root, code):
    root, executable = empty_root
    enter = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]
    prepared = f"import os; os.chdir('/place')\n{code}"
    environment = BARE | {"PYTHONPATH": "/site", "PYTHONHOME": str(executable.parents[1])}
    return done(*enter, root, executable, "-c", prepared, env=environment | {"PATH": os.environ["PATH"]})


def test_the_wheel_makes_a_picture_where_there_is_python_alone(empty_root):
    root, _ = empty_root
    give(root / "place")
    in_root(empty_root, ten_lines())
    assert (root / "place/pad.png").read_bytes().startswith(PNG)


def test_the_command_runs_where_there_is_python_alone(empty_root):
    run = "import sys; sys.argv = ['nodia', *%r]; from nodia.command import main; main()"
    scenario = "/site/nodia/data/scenarios/soft_mat/soft_mat.yaml"
    told = in_root(empty_root, run % (["run", scenario, "--steps", "2", "--json", "--out", "/place/run"],))
    assert json.loads(told)["steps"] == 2


def test_meshes_are_read_where_there_is_python_alone(empty_root):
    place = empty_root[0] / "place"
    (place / "tetrahedron.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    collision = '<collision><geometry><mesh filename="tetrahedron.obj"/></geometry></collision>'
    (place / "robot.urdf").write_text(f'<robot name="r"><link name="base">{collision}</link></robot>')
    info = "import sys; sys.argv = ['nodia', 'info', '/place/robot.urdf', '--json']; from nodia.command import main; main()"
    assert json.loads(in_root(empty_root, info))["links"][0]["collision_shapes"] == 1
    steps = "import nodia; nodia.Simulation(nodia.Scenario({'name': 'r', 'robots': {'r': {'urdf': '/place/robot.urdf'}}})).step(2)"
    in_root(empty_root, steps)


def missed_files(statistics):
    """Files that the compiler compiled because the cache lacked them. @param statistics  text of CCACHE_STATSLOG"""
    entries = re.findall(r"^# (.*)\n((?:[^#].*\n)*)", statistics, re.M)
    assert len(entries) > 50
    return [name for name, events in entries if "cache_miss" in events.split()]


# What the package compiles and the build of the tree may not: its bindings, the record of the build, and the files that say
# what the package lacks.
OF_THE_PACKAGE = "nanobind|nodia_core|python/bindings|build_id|build_info|/(launches_)?without_[a-z]+[.]cpp|cholmod_cholesky"


def test_the_compiler_cache_serves_all_of_pips_build_but_the_bindings(installed):
    missed = missed_files((installed / "ccache.log").read_text())
    assert not [name for name in missed if not re.search(OF_THE_PACKAGE, name)], missed


def test_pip_install_in_a_fresh_environment(installed, tmp_path):
    """The command with its verbs, and the ten lines."""
    environment = without_display()
    python, nodia = installed / "fresh/bin/python", installed / "fresh/bin/nodia"
    work = tmp_path / "work"
    work.mkdir()
    how = {"env": environment, "cwd": work}
    give(work)
    (work / "ten.py").write_text(ten_lines())
    done(python, "ten.py", **how)
    assert (work / "pad.png").read_bytes().startswith(PNG)
    verbs = re.findall(r"^  (\w+) ", done(nodia, "--help", **how).partition("Subcommands:")[2], re.M)
    assert {"run", "view", "render", "paper", "bench", "info"} <= set(verbs)
    assert json.loads(done(nodia, "info", "--json", **how))["solvers"]
    lacking = subprocess.run([nodia, "bench", "--help"], capture_output=True, text=True, **how)
    assert lacking.returncode == 2 and "tools/build.sh nodia-studies" in lacking.stderr, lacking.stderr
    data = done(python, "-c", "import nodia; print(nodia.__path__[0] + '/data/scenarios')", **how).strip()
    told = done(nodia, "run", f"{data}/soft_ball/soft_ball.yaml", "--steps", 2, "--json", "--out", work / "run", **how)
    assert json.loads(told)["steps"] == 2
    (work / "stay.py").write_text(STAY)
    words = ["--episodes", 1, "--set", "time.duration_s=0.2", "--set", "task.policy=stay.py:Stay", "--json"]
    told = done(nodia, "generate", f"{data}/quick_lift/quick_lift.yaml", work / "data", *words, **how)
    assert json.loads(told)["made_episodes"] == 1 and json.loads(told)["quarantined"] == 0
    for verb in ("render", "view"):
        without = subprocess.run([nodia, verb, work / "run"], capture_output=True, text=True, **how)
        assert without.returncode == 1 and "pip install 'nodia[render]'" in without.stderr, without.stderr
        assert without.stderr.count("\n") == 1


def test_nodia_is_a_folder_of_another_project(build_folder, werror):
    """Runs after the package, and uses its build folder."""
    shutil.rmtree(build_folder)
    words = [f"-DNODIA_SOURCE={SOURCE}", "-DNODIA_CCACHE=ON", "-DNODIA_CUDA=OFF", "-DNODIA_CHOLMOD=OFF", f"-DNODIA_WERROR={werror}"]
    expect_a_ball_that_falls_and_lies(forces(build_folder, *words))


def test_a_project_with_a_folder_of_nodia_takes_what_the_machine_has(tmp_path):
    """CUDA and CHOLMOD among it."""
    done("cmake", "-S", EXAMPLE, "-B", tmp_path, "-G", "Ninja", f"-DNODIA_SOURCE={SOURCE}")
    assert "ball_on_floor" in done("ninja", "-C", tmp_path, "-t", "targets", "all")
