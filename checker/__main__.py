"""`python -m checker` is `rulewright`."""

import sys

from checker.cli.main import main

sys.exit(main())
