"""What importing the package does to the process."""

import os
import subprocess
import sys

from built_package import PACKAGE


def test_the_import_changes_no_environment_variable():
    """Programs that the process starts may belong to another installation of nodia."""
    script = "import os; before = dict(os.environ); import nodia; assert dict(os.environ) == before"
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | {"PYTHONPATH": str(PACKAGE)})
