"""The typesetter, in a process of its own: it is native code, which nothing but the end of its
process can interrupt.

It works in a folder with a template and its data, writes a file for each format it is asked for,
and says its name on a line as soon as the file is there.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rulewright.system.memory_limit import Bounded, own_share


def main() -> int:
    """Typesets `FOLDER TEMPLATE FORMATS`; the last is JSON: what the template is told, by file."""
    import typst

    folder, template, formats = sys.argv[1:]
    with Bounded(own_share()):
        for name, told in json.loads(formats).items():
            made = typst.compile(
                str(Path(folder) / template), root=folder, sys_inputs=told, ignore_system_fonts=True
            )
            assert isinstance(made, bytes)
            (Path(folder) / name).write_bytes(made)
            print(name, flush=True)
    return 0
