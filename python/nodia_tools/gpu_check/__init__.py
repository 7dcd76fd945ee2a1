"""Everything that needs an NVIDIA GPU, in one JSON file: see tools/gpu_check.sh.

command.py takes the words and the time, parts.py says what is checked in which order, check.py what a check
is; each kind of check has a file.
"""
