"""Checks and measures what needs an NVIDIA GPU and writes one JSON file: see tools/gpu_check.sh.

command.py reads the arguments and divides the budget, report.py holds the file, programs.py runs programs. A
part is a list of checks; a check is one program call, or two that are compared, and becomes one row.
"""
