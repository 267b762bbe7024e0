"""What is written for readers: sources, terms, clauses, sections, and translations of all that."""

from __future__ import annotations

from random import Random

from fuzz.inputs.words import HIDDEN, HOSTILE, NAMES, anything, prose
from rulewright.frontend import check_text
from rulewright.syntax.node import replace
from rulewright.translate.merge import merged, sources
from rulewright.translate.po import write_po

KINDS = ("must", "never", "may", "can", "aside")
GROUPS = ("setup", "turn", "scoring")
SECTIONS = ("aim", "box", "setup", "turn", "turn2", "scoring")


def book(random: Random) -> list[str]:
    """Declarations that a spec with the phases `play` and `late` can have besides its rules."""
    lines = [f'source en "{prose(random)}" document "{prose(random)}"']
    for name in random.sample(NAMES, random.randint(0, 2)):
        lines.append(f'term {name}_ "{prose(random)}" en "{prose(random)}", is "{prose(random)}"')
    named = []
    for number in range(random.randint(1, 5)):
        named.append(f"{random.choice(GROUPS)}.c{number}")
        place = f"en:{random.randint(1, 3)}.{number + 1}"
        lines.append(f'clause {named[-1]} {random.choice(KINDS)} {place} "{prose(random)}"')
    if random.random() < 0.5:
        lines.append(f'assumption guess low "{prose(random)}" [{random.choice(named)}]')
    if random.random() < 0.5:
        lines.append(f'accept untested {random.choice(named)} "{prose(random)}"')
    for name in random.sample(SECTIONS, random.randint(0, 3)):
        lines.append(f'section {name} "{prose(random)}"')
        for _ in range(min(len(named), random.randint(1, 3))):
            heading = f'"{prose(random)}"' + random.choice(("", " in play", " in late")) + ": "
            shown = named.pop(random.randrange(len(named)))
            lines.append(f"    {heading if random.random() < 0.6 else ''}{shown}")
        if not named:
            break
    return lines


def catalogue(text: str, random: Random) -> str:
    """A translation of a spec into hostile sentences, now and then damaged."""
    checked = check_text("x.rules", text)
    if checked.spec is None or checked.text is None:
        return f'msgid "x"\nmsgstr "{foreign(random)}"\n'
    wanted = sources(checked)
    lines = [checked.text.place(each.span.start)[0] for each in wanted]
    begin, *entries = merged((), wanted, checked.spec, "x.rules", "is", lines)
    told = [replace(each, forms=(foreign(random),)) if random.random() < 0.9 else each
            for each in entries]  # fmt: skip
    whole = write_po([begin, *told])
    for _ in range(random.choice((0, 0, 0, 1, 3))):
        at = random.randrange(len(whole))
        whole = whole[:at] + anything(random) + whole[at + random.randint(0, 3) :]
    return whole


def foreign(random: Random) -> str:
    """A sentence of a translation: any letters can stand in one, and fields in braces."""
    words = random.choices((*HOSTILE, "{players}", "{0}", "{title", "}", '"', "\\n", "*", "a | b*"),
                           k=random.randint(1, 4))  # fmt: skip
    if random.random() < 0.02:
        words.append(random.choice(HIDDEN[:-1]))
    return " ".join(words)
