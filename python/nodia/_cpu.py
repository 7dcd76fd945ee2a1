"""Whether this CPU has the instructions that the compiled part is made of."""

from nodia._build import ARCH

# Of the levels of the x86-64 psABI, by their names in /proc/cpuinfo.
_V2 = ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3")
_V3 = (*_V2, "abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe")
_V4 = (*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
NEEDED = {"x86-64-v2": _V2, "x86-64-v3": _V3, "x86-64-v4": _V4}


def missing_features(cpuinfo, arch=ARCH):
    """What a CPU lacks.

    @param cpuinfo  text of /proc/cpuinfo; one without a line of flags tells nothing
    @param arch     of the build (-march)
    @return names as in the flags, ascending
    """
    for line in cpuinfo.splitlines():
        if line.partition(":")[0].strip() == "flags":
            return sorted(set(NEEDED.get(arch, ())) - set(line.partition(":")[2].split()))
    return []


def require_cpu(cpuinfo=None):
    """@throws ImportError in words, in the place of a crash (SIGILL) at the first such instruction"""
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
