"""What is exported for players outside Python, and the JavaScript that plays it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.frontend import check_text
from rulewright.play.semantics.errors import UsageError
from rulewright.wasm.runtime.export import RUNTIME, export
from tests.patience import PATIENCE
from tests.play.games import bundled, usable
from tests.wasm.hosts import NODE, needs_node

HERE = Path(__file__).parent
TSC = shutil.which("tsc")
SMALL = """
    phase play, over final
    state
        active: Player
        n: 0..9 = 0
    start
        first "it begins with player 1": active == 1
    move pass_ by p in play
        does n += 1
"""


def test_the_same_game_is_exported_in_the_same_bytes():
    ask = (
        "from hashlib import sha256; from rulewright.frontend import read;"
        "from rulewright.wasm.runtime.export import export;"
        "found = export(read('spec/kubbar.rules'), 3, {'ties': 'shared'});"
        "print(sha256(found.module).hexdigest(), sha256(found.text.encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", ask], cwd=HERE.parent.parent, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
        ).stdout
        for seed in ("1", "77")
    }  # fmt: skip
    assert len(said) == 1


def test_words_of_a_spec_cannot_leave_the_manifest():
    hostile = usable(SMALL.replace("it begins with player 1", "</script><script>alert(1)</script>"))
    found = export(hostile, 2)
    assert "<" not in found.text
    assert json.loads(found.text)["start"][0]["prose"] == "</script><script>alert(1)</script>"
    assert json.loads(found.text) == json.loads(json.dumps(found.manifest))


def test_a_configuration_that_there_is_not_is_refused():
    with pytest.raises(UsageError, match="has no variant"):
        export(bundled("qwixx"), variant="unheard_of")
    with pytest.raises(UsageError, match="cannot be played by 9"):
        export(bundled("qwixx"), 9)
    with pytest.raises(UsageError, match="cannot be used"):
        export(check_text("bad.rules", "game"))


def test_the_runtime_runs_nothing_but_the_module():
    """There is no way in it to make code or markup of text, to fetch, or to import at will."""
    forbidden = ("eval(", "Function(", "innerHTML", "outerHTML", "insertAdjacent", "document",
                 "fetch(", "import(", "XMLHttp", "setTimeout", "globalThis", "window")  # fmt: skip
    files = list(RUNTIME.glob("*.js"))
    assert len(files) > 5
    for path in files:
        bare = [line for line in path.read_text(encoding="utf-8").splitlines()
                if not line.lstrip().startswith(("*", "/*"))]  # fmt: skip
        for word in forbidden:
            assert word not in "\n".join(bare), (path.name, word)
        heads = ("import ", "} from", "export * from")
        imported = [line for line in bare if line.startswith(heads)]
        assert all("from './" in line for line in imported), path.name


@pytest.mark.skipif(TSC is None, reason="there is no TypeScript here: npm install -g typescript")
def test_the_runtime_is_typed(tmp_path: Path):
    options = ["--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022", "--module",
               "es2022", "--lib", "es2022,dom"]  # fmt: skip
    ran = subprocess.run(
        [str(TSC), *options, str(RUNTIME / "game.js")],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stdout
    wrong = tmp_path / "wrong.js"
    wrong.write_text(f"import {{ load }} from {json.dumps(str(RUNTIME / 'game.js'))}\nload(3)\n")
    ran = subprocess.run([str(TSC), *options, str(wrong)], capture_output=True, text=True)
    assert ran.returncode != 0


def test_a_game_for_which_there_is_no_beginning_is_not_exported():
    impossible = usable(SMALL.replace("active == 1", "active != active"))
    with pytest.raises(UsageError, match="no way to begin"):
        export(impossible, 2)


@needs_node
def test_what_does_not_belong_together_is_not_loaded(tmp_path: Path):
    found, other = export(usable(SMALL), 2), export(usable(SMALL), 3)
    (tmp_path / "manifest.json").write_text(found.text, encoding="utf-8")
    (tmp_path / "game.wasm").write_bytes(found.module)
    (tmp_path / "other.wasm").write_bytes(other.module)
    script = f"""
        import {{ readFileSync }} from 'node:fs'
        import {{ Game, load, parse }} from {json.dumps((RUNTIME / "game.js").as_uri())}
        const manifest = readFileSync('manifest.json', 'utf8')
        const [module, other] = ['game.wasm', 'other.wasm'].map((name) => readFileSync(name))
        const said = []
        const attempt = async (ask) => {{
          try {{ await ask(); said.push('played') }} catch (error) {{ said.push(error.message) }}
        }}
        await attempt(() => load(manifest, module))
        await attempt(() => load(manifest, other))
        await attempt(() => load({{ ...parse(manifest), abi: 99 }}, module))
        await attempt(() => load('[1,', module))
        const asking = new Uint8Array([
          0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0])
        await attempt(() => new Game(parse(manifest), new WebAssembly.Module(asking)))
        const first = await load(parse(manifest), module)
        const second = new Game(first.manifest, first.module)
        first.play({{ move: 'pass_', by: 2 }})
        said.push(first.value('n'), second.value('n'))
        console.log(JSON.stringify(said))
    """
    ran = subprocess.run(
        [str(NODE), "--input-type=module", "-e", script],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert json.loads(ran.stdout) == [
        "played",
        "this module is not the one that the manifest speaks of",
        "this game was exported for version 99 of the runtime, this is 1",
        "this is not JSON",
        "a game that asks for something from outside is not played",
        1,
        0,
    ]
