"""Runs the checks and measurements that need an NVIDIA GPU, and writes one JSON file: see tools/gpu_check.sh.

command.py reads the arguments and divides the budget, report.py writes the file, programs.py runs programs. A part is a
list of checks. A check is one program call, or a comparison of two calls, and becomes one row of the file.
"""
