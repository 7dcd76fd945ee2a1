"""The campaign: samples scenes, runs them, and judges every run by its trajectory and its scene alone.

The package shares no code with the program's mechanics or contact detection. It reads files with nodia_tools.
"""
