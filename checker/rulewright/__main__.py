"""`python -m rulewright` is `rulewright`."""

import sys

from rulewright.cli.main import main

sys.exit(main())
