"""The parts of tools/gpu_check.sh, the most valuable first. The default is to run the first four."""

from nodia_tools.gpu_check.bench_rows import batches, times
from nodia_tools.gpu_check.bits import bits
from nodia_tools.gpu_check.check import Part
from nodia_tools.gpu_check.profile import profile
from nodia_tools.gpu_check.sanitizer import sanitizer
from nodia_tools.gpu_check.tickets import tickets

PARTS = {
    part.name: part
    for part in (
        Part("tickets", tickets, weight=1, share=1),
        Part("bits", bits, weight=4, share=1 / 4, workers=4),
        Part("times", times, weight=4, share=1 / 2),
        Part("batches", batches, weight=2, share=1 / 2),
        Part("profile", profile, weight=2, share=1 / 3),
        Part("sanitizer", sanitizer, weight=1, share=1 / 2, workers=4),
    )
}
FIRST_CALL = ("tickets", "bits", "times", "batches")
