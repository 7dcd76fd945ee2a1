"""The parts of tools/gpu_check.sh, in their order, each with the seconds that it may take."""

from nodia_tools.gpu_check.bench_rows import batches, benchmark, large, probes
from nodia_tools.gpu_check.check import Part
from nodia_tools.gpu_check.device_tests import device_tests
from nodia_tools.gpu_check.profile import profile
from nodia_tools.gpu_check.same_motion import repeats, scenarios
from nodia_tools.gpu_check.sanitizer import sanitizer

# What takes seconds and what everything else rests on first. Each fits in a call of nine minutes.
PARTS = {
    part.name: part
    for part in (
        Part("probes", probes, 60),
        Part("tests", device_tests, 240),
        Part("scenarios", scenarios, 500),
        Part("profile", profile, 240),
        Part("benchmark", benchmark, 500),
        Part("repeats", repeats, 300),
        Part("sanitizer", sanitizer, 530),
        Part("batches", batches, 530),
        Part("large", large, 530),
    )
}
