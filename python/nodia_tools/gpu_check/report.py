"""Writes the JSON file of gpu_check."""

import json
import os
import threading

MOST_MEASURED = 2000  # largest number of measurements in a row


class Report:
    """Rewrites the file after every row and every measurement, so that it is valid at any time."""

    def __init__(self, path, head):
        self.path, self.head, self.rows = path, head, {}
        self._lock = threading.Lock()

    def put(self, part, name, outcome):
        """Stores the outcome of a check and replaces its earlier outcome."""
        with self._lock:
            row = {"part": part, "name": name, **outcome}
            row["measured"] = row.get("measured", [])[:MOST_MEASURED]
            self.rows[part, name] = row
            beside = self.path.with_name(self.path.name + ".part")
            whole = {**self.head, "rows": list(self.rows.values())}
            beside.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
            os.replace(beside, self.path)
