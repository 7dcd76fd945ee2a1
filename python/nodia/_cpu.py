"""Check that this CPU supports the instruction set of the compiled part."""

from nodia._build import ARCH

# CPU features of the levels of the x86-64 psABI, with the names of /proc/cpuinfo.
_V2 = ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3")
_V3 = (*_V2, "abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe")
_V4 = (*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
NEEDED = {"x86-64-v2": _V2, "x86-64-v3": _V3, "x86-64-v4": _V4}


def missing_features(cpuinfo, arch=ARCH):
    """Features that the build needs and a CPU lacks.

    @param cpuinfo  text of /proc/cpuinfo
    @param arch     instruction set of the build (-march)
    @return names of the features as in `flags`, ascending; empty if the text has no line `flags`
    """
    for line in cpuinfo.splitlines():
        if line.partition(":")[0].strip() == "flags":
            return sorted(set(NEEDED.get(arch, ())) - set(line.partition(":")[2].split()))
    return []


def require_cpu(cpuinfo=None):
    """@throws ImportError if this CPU lacks a feature. Without the check, the program would crash (SIGILL)"""
    if cpuinfo is None:
        try:
            with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
                cpuinfo = file.read()
        except OSError:
            return
    missing = missing_features(cpuinfo)
    if missing:
        raise ImportError(
            f"nodia is built for {ARCH}, and this CPU lacks {', '.join(missing)}: build it here, from a clone, with "
            "pip install . --config-settings=cmake.define.NODIA_ARCH="
        )
