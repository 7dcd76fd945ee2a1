"""What the compiler makes of the device's kernels: registers, spills, bytes of code, wide loads of nodes.

The device code is compiled once more for sm_90 with the build's own flags; ptxas counts.
"""

import json
import re
import shlex
import subprocess
from dataclasses import dataclass

import pytest
from tool_environment import SOURCE

STEP = (
    "kernels/collision/device/device_search.cu",
    "kernels/multigrid/device/device_multigrid.cu",
    "kernels/newton/device/device_smoothing.cu",
    "kernels/soft_step/device/device_soft_step.cu",
    "kernels/vfpi/device/device_planes.cu",
)
PRODUCT = "kernels/linalg/device/launch_sliced.cu"
LOOP = "kernels/vfpi/device/step_graph.cu"
USED = re.compile(
    r"Compiling entry function '(?P<name>\w+)'.*?"
    r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers",
    re.DOTALL,
)
SECTION = re.compile(r"\]\s+\.text\.(?P<name>\w+)\s+PROGBITS\s+\w+\s+\w+\s+(?P<bytes>[0-9a-f]+)\s")
COMMON = {  # registers of the common iteration, at most
    "FloatPrecision": 64,
    "MixedPrecision": 100,
    "DoublePrecision": 100,
}


OWN_NODES = {"FloatPrecision": 2, "MixedPrecision": 1, "DoublePrecision": 1}


@dataclass
class Kernel:
    registers: int
    spilled_bytes: int
    code_bytes: int  # with what it calls: the decision of the last block too


def command_of(source):
    """The build's command for a device file."""
    listed = SOURCE / "build/release/compile_commands.json"
    if not listed.exists():
        pytest.skip("there is no build/release/compile_commands.json")
    for entry in json.loads(listed.read_text()):
        if entry["file"].endswith(source):
            return shlex.split(entry["command"])
    pytest.skip("the build is one without CUDA")


def compiled(source, folder):
    """@return the kernels of a file by their mangled names, and its PTX"""
    words = [w for w in command_of(source) if not w.startswith("--generate-code")]
    words = words[: words.index("-c")]
    cubin, ptx = folder / "code.cubin", folder / "code.ptx"
    target = ["-x", "cu", str(SOURCE / source), "-o"]
    sm = "--generate-code=arch=compute_90,code="
    told = subprocess.run(
        [*words, sm + "sm_90", "-Xptxas=-v", "-cubin", *target, cubin], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stderr
    subprocess.run([*words, sm + "compute_90", "-ptx", *target, ptx], check=True)
    sections = subprocess.run(["readelf", "-SW", cubin], capture_output=True, text=True, check=True).stdout
    size = {m["name"]: int(m["bytes"], 16) for m in SECTION.finditer(sections)}
    kernels = {}
    for m in USED.finditer(told.stderr):
        spilled = int(m["stores"]) + int(m["loads"])
        kernels[m["name"]] = Kernel(int(m["registers"]), spilled, size[m["name"]])
    assert len(kernels) == told.stderr.count("Compiling entry function") > 0
    return kernels, ptx.read_text()


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    return compiled(LOOP, tmp_path_factory.mktemp("loop"))


def common_iteration(kernels, precision):
    """Iterate<precision, ContactCase::common> with its decision"""
    iteration = rf"15deciding_kernelINS_7IterateINS_\d+{precision}ELNS_11ContactCaseE1EE"
    found = [name for name in kernels if re.search(iteration, name)]
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize("precision", COMMON)
def test_the_common_iteration_is_small_with_its_decision(loop, precision):
    kernels, ptx = loop
    name = common_iteration(kernels, precision)
    kernel = kernels[name]
    assert kernel.registers <= COMMON[precision]
    assert kernel.spilled_bytes == 0
    assert kernel.code_bytes <= 24 * 1024


@pytest.mark.parametrize("precision", COMMON)
def test_the_common_iteration_gathers_a_node_in_the_widest_loads(loop, precision):
    kernels, ptx = loop
    name = common_iteration(kernels, precision)
    body = ptx[ptx.index(f".entry {name}(") :]
    body = body[: body.index("\n}\n")]
    wide = r"ld\.global(\.nc)?\.v2\.f64" if precision == "DoublePrecision" else r"ld\.global(\.nc)?\.v4\.f32"
    # The row's own node is one, or two where the product needs its differences; the others are gathered.
    assert len(re.findall(wide, body)) > OWN_NODES[precision]


def test_no_kernel_of_the_loop_spills(loop):
    assert [name for name, kernel in loop[0].items() if kernel.spilled_bytes > 0] == []


@pytest.mark.parametrize("source", [*STEP, PRODUCT])
def test_no_kernel_of_the_step_or_of_a_product_alone_spills(source, tmp_path):
    kernels, _ = compiled(source, tmp_path)
    assert [name for name, kernel in kernels.items() if kernel.spilled_bytes > 0] == []
