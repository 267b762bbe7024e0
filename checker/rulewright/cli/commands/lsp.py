"""Runs the language server on standard input and output, for editors to start."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import redirect_stdout

from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import HOLDS


def configure(parser: ArgumentParser) -> None:
    """The arguments of `lsp`."""
    parser.add_argument("--stdio", action="store_true", help="as some editors ask; it always does")


def run(options: Namespace) -> int:
    """Serves until the editor is done."""
    try:
        from rulewright.lsp.features import create
    except ImportError as error:
        if not (error.name or "").startswith(("pygls", "lsprotocol", "cattrs", "attrs")):
            raise
        raise RefusalError(
            "the language server is not installed", "install it: `pip install rulewright[editor]`"
        ) from error
    # The protocol has the streams for itself: what anybody prints goes to the log.
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with redirect_stdout(sys.stderr):
        create().start_io(stdin, stdout)
    return HOLDS
