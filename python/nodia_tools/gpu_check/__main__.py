import sys

from nodia_tools.gpu_check.command import main

sys.exit(main())
