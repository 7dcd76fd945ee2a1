"""The machine code that the build made for sm_90: registers, stack, code size, loads, and the memory order of tickets.

Reads the objects of the build with cuobjdump. Nothing is compiled again.
"""

import functools
import os
import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from nodia_command import BINARY

LOOP = "vfpi/device/step_graph"
MULTIGRID = "multigrid/device/device_multigrid"
SMOOTHING = "newton/device/device_smoothing"
SOFT_STEP = "step/device/device_soft_step"
LITMUS = "device/ticket_litmus"
STACK = {  # bytes of local arrays of the kernels that have some; every other kernel has none, so a spill shows
    "collision/device/device_search": {
        "FlagTunnelling": 128,
        "FlagNearEdges": 672,
        "FlagNearVertices": 528,
    },
    MULTIGRID: {},
    SMOOTHING: {},
    SOFT_STEP: {"ElasticEnergyOfTets": 256, "StartContactNodes": 40, "PlacePointConstraints": 40, "MakePairs": 928},
    "vfpi/device/device_planes": {"EvaluateSoftTets": 256},
    "linalg/device/launch_sliced": {},
    LOOP: {},
}
COMMON = {"FloatPrecision": 64, "MixedPrecision": 100, "DoublePrecision": 100}  # most registers of the common iteration
OWN_NODES = {"FloatPrecision": 2, "MixedPrecision": 1, "DoublePrecision": 1}
PACKAGES = Path(sysconfig.get_paths()["purelib"]).glob("nvidia/cu*/bin")
PATH = os.pathsep.join([os.environ["PATH"], "/usr/local/cuda/bin", *map(str, PACKAGES)])


@dataclass
class Kernel:
    registers: int = 0
    stack_bytes: int = 0
    sass: list = field(default_factory=list)  # instructions, with those of the functions that the kernel calls
    ptx: str = ""  # body; empty if the object holds no PTX

    def of_sass(self, pattern):
        """Instructions that match, in order."""
        return [text for text in self.sass if re.search(pattern, text)]


def listing(of, option):
    """What cuobjdump prints of an object of the build."""
    if not shutil.which("nvcc", path=PATH):
        pytest.skip("PACKAGE: nvcc is not installed")
    if not (shutil.which("cuobjdump", path=PATH) and shutil.which("nvdisasm", path=PATH)):
        pytest.skip("PACKAGE: cuobjdump is not installed (pip: nvidia-cuda-cuobjdump, nvidia-cuda-nvdisasm)")
    path = BINARY.parents[1] / f"nodia_kernels/CMakeFiles/nodia_kernels.dir/{of}.cu.o"
    assert path.exists(), f"{path} has not been built, although nvcc is installed"
    words = [shutil.which("cuobjdump", path=PATH), option, *(["-arch", "sm_90"] if option != "-ptx" else []), path]
    return subprocess.run(words, env=os.environ | {"PATH": PATH}, capture_output=True, text=True, check=True).stdout


@functools.cache
def kernels_of(of):
    """The kernels of an object by their mangled names."""
    kernels = {}
    for name, registers, stack in re.findall(r" Function (\w+):\s+REG:(\d+) STACK:(\d+)", listing(of, "-res-usage")):
        kernels[name] = Kernel(int(registers), int(stack))
    for part in listing(of, "-sass").split("Function : ")[1:]:
        kernels[part[: part.index("\n")]].sass = re.findall(r"/\*[0-9a-f]{4,}\*/ +(.+?) *;", part)
    for name, body in re.findall(r"\.entry (\w+)\((.*?)\n}\n", listing(of, "-ptx"), re.DOTALL):
        kernels[name].ptx = body
    assert kernels and all(kernel.sass for kernel in kernels.values())
    return kernels


def common_iteration(precision):
    """Iterate<precision, ContactCase::common> with its decision"""
    iteration = rf"15deciding_kernelINS_7IterateINS_\d+{precision}ELNS_11ContactCaseE1EE"
    (kernel,) = [kernel for name, kernel in kernels_of(LOOP).items() if re.search(iteration, name)]
    return kernel


@pytest.mark.parametrize("precision", COMMON)
def test_the_common_iteration_is_small_with_its_decision(precision):
    kernel = common_iteration(precision)
    assert kernel.registers <= COMMON[precision]
    assert 16 * len(kernel.sass) <= 24 * 1024  # bytes


@pytest.mark.parametrize("precision", COMMON)
def test_the_common_iteration_gathers_a_node_in_the_widest_loads(precision):
    # The row's own node is one, or two if the product needs its differences. The others are gathered.
    assert len(common_iteration(precision).of_sass(r"LDG\.E\.128")) > OWN_NODES[precision]


@pytest.mark.parametrize("of", STACK)
def test_no_kernel_spills(of):
    for name, kernel in kernels_of(of).items():
        arrays = [n_byte for kernel_name, n_byte in STACK[of].items() if f"{len(kernel_name)}{kernel_name}" in name]
        assert kernel.stack_bytes <= sum(arrays), name


# A ticket in machine code: the block's writes become visible, the ticket is taken, and in the last block the
# first-level cache is emptied and the ticket cleared.
RELEASE, TAKE, ACQUIRE, CLEAR = "MEMBAR.ALL.GPU", "ATOM.E.ADD.S32.STRONG.GPU", "CCTL.IVALL", "ST.E.STRONG.GPU"
ORDERED = [RELEASE, TAKE, RELEASE, ACQUIRE, CLEAR]
# The same in PTX, if the object holds some.
ORDERED_PTX = ["atom.add.release.gpu", "fence.acq_rel.gpu", "st.relaxed.gpu"]


def ticket_of(kernel):
    names = "|".join(map(re.escape, (RELEASE, TAKE, ACQUIRE, CLEAR)))
    return [re.search(names, text)[0] for text in kernel.of_sass(names)]


def ticket_in_ptx(kernel):
    return re.findall(r"atom\.add\.\w+\.gpu|fence\.\w+\.gpu|st\.relaxed\.gpu", kernel.ptx)


def has_ticket(name):
    return "deciding_kernel" in name or "ending_kernel" in name


@pytest.mark.parametrize("of", [LOOP, MULTIGRID, SMOOTHING, SOFT_STEP])
def test_tickets_release_and_only_the_last_block_acquires(of):
    kernels = kernels_of(of)
    assert any(map(has_ticket, kernels)) == (of in (LOOP, MULTIGRID))
    for name, kernel in kernels.items():
        assert ticket_of(kernel) == (ORDERED if has_ticket(name) else []), name
        if kernel.ptx:
            assert ticket_in_ptx(kernel) == (ORDERED_PTX if has_ticket(name) else []), name


@pytest.mark.parametrize("of", [LOOP, MULTIGRID, SMOOTHING, SOFT_STEP, LITMUS])
def test_no_load_bypasses_the_cache_that_the_acquire_empties(of):
    for name, kernel in kernels_of(of).items():
        assert kernel.of_sass(r"^(@!?U?P\d )?LD.*\.(CONSTANT|CI|NC)\b") == [], name
        assert not re.search(r"\.nc\b|ld\.volatile", kernel.ptx), name


@pytest.mark.parametrize(
    ("order", "sass", "ptx"),
    [
        ("Ordered", ORDERED, ORDERED_PTX),
        ("WithoutRelease", ORDERED[1:], ["atom.add.relaxed.gpu", *ORDERED_PTX[1:]]),
        ("WithoutAcquire", [RELEASE, TAKE, CLEAR], [ORDERED_PTX[0], ORDERED_PTX[2]]),
    ],
)
def test_a_negative_control_lacks_exactly_its_instruction(order, sass, ptx):
    (kernel,) = [k for name, k in kernels_of(LITMUS).items() if f"{len(order)}{order}" in name and has_ticket(name)]
    assert ticket_of(kernel) == sass
    assert not kernel.ptx or ticket_in_ptx(kernel) == ptx
