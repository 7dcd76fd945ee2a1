"""python -m nodia_tools MODULE ARGUMENTS...: runs main() of that module. Ctrl-C ends the process during the imports too.

The nodia command starts this process with SIGINT blocked, so that an interrupt during Python's startup waits until main().
"""

import signal
import sys
from importlib import import_module

from nodia_tools.command_line import interrupted_at_once

if __name__ == "__main__":
    with interrupted_at_once():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        name = sys.argv.pop(1)
        try:
            module = import_module(name)
        except ModuleNotFoundError as error:
            if error.name.partition(".")[0] == "nodia_tools":
                raise
            extra, setup = ("export", "setup.sh --tests") if name.startswith("nodia_tools.export.") else ("render", "setup.sh")
            print(f"nodia: {error.name} is missing (pip install 'nodia[{extra}]'; in a clone: tools/{setup})", file=sys.stderr)
            sys.exit(1)
    sys.exit(module.main())
