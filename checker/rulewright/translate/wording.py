"""The fixed words of rulebooks in every language that the program speaks, and how names of a spec
are said.

English is written here. The other languages are the catalogues in `words/`, one for each, in which
an entry is found by its key as the context. What a catalogue lacks is said in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rulewright.diagnostics import Messages, Text
from rulewright.meaning.names.symbol_table import OBLIGATIONS
from rulewright.translate.po import read_po
from rulewright.translate.prose import DIRECTIONS

SOURCE = "en"
"""The language of the program and of the bundled specs."""
NAMES = {
    "en": "English", "is": "Íslenska", "nb": "Norsk bokmål", "nn": "Norsk nynorsk", "da": "Dansk",
    "sv": "Svenska", "de": "Deutsch", "fr": "Français", "es": "Español", "nl": "Nederlands",
    "fi": "Suomi", "it": "Italiano", "pl": "Polski", "pt": "Português", "fo": "Føroyskt",
}  # fmt: skip
"""What languages are called by those who speak them."""

ENGLISH: dict[str, str | tuple[str, str]] = {
    "players": "For {number} players.",
    "play": "How to play {title}",
    "how_to_play": "How to play",
    "and": "and",
    "to": "to",
    "evidence": "Evidence",
    "language": "Language",
    "contents": "Contents",
    "aim": "What it is about",
    "box": "What you need",
    "setup": "Setup",
    "turn": "A turn",
    "turn_diagram": "How a turn goes",
    "other_rules": "Further rules",
    "house_rules": "House rules: decide before you begin",
    "house_rules_why": "The rules leave these questions open. Agree on an answer before you play; "
    "the usual one is marked.",
    "usual": "usual",
    "variants": "Variants",
    "example": "Example",
    "not_allowed": "{who} may not {what}. The rule: {reason}.",
    "cannot_happen": "This cannot happen: {what}. The rule: {reason}.",
    "allowed": "{who} may {what}.",
    "allowed_but": "{who} may {what}: {good}. Not allowed: {bad}. The rule: {reason}.",
    "before": "Before",
    "after": "After",
    "afterwards": "{who}, afterwards",
    "newly_laid": "underlined: new there",
    "refused": "Not allowed",
    "refused_so": "Not allowed. The rule: {reason}",
    "allowed_so": "Allowed",
    "a_sheet": "A player's sheet",
    "own_sheet": "{who}'s sheet",
    "sheet": "sheet",
    "sheet_of": "the sheet of {who}",
    "dice": "dice",
    "dice_count": ("1 die", "{number} dice"),
    "sheet_each": "a sheet for each player",
    "sheet_kinds": "a sheet for each player; there are {number} kinds",
    "pencils": "something to write with",
    "board_of": "a board of {width} by {height} squares",
    "tiles": ("1 tile", "{number} tiles"),
    "tiles_of_each": ("1 tile", "{number} tiles: {copies} of each kind"),
    "one_of_each": "one of each kind",
    "reference": "{title} at a glance",
    "points": "Points",
    "round": "Round",
    "total": "Total",
    "player": "player {number}",
    "number": "number {number}",
    "none": "none",
    "nobody": "nobody",
    "empty": "empty",
    "gone": "gone",
    "row": "row {row}",
    "crossed_out": "crossed out",
    "then": "{step}, then {next}",
    "or": "or",
    "up": "up",
    "right": "right",
    "down": "down",
    "left": "left",
    "allowed_move": "allowed: {move}",
    "allowed_ways": ("allowed in 1 way:", "allowed in {number} ways:"),
    "does_step": "does {step}",
    "then_step": "then {step}",
    "refused_move": "refused: {move}",
    "refused_ways": "refused in any of {number} ways: {move}",
    "in_phase": "it belongs to the phase {phase}",
    "acts_once": "each player acts once",
    "worked_examples": "Worked examples",
    "examples_of": "Worked examples of {title}",
    "examples_how": "The program plays these examples whenever the pages are made. Each step shows "
    "what changed. ✗ marks a refused move, with the reason; ✓ marks an expectation that holds. "
    "Some examples are from the rulebook; the others are ours and show what the text implies.",
    "pages": "Pages",
    "page": "page {page}",
    "played": "played",
    "fails": "fails",
    "of_the_rulebook": "told by the rulebook",
    "our_own": "our own",
    "own_data": ", with data of our own",
    "not_so": "not so:",
    "may_not": "{who} may not {what}.",
    "cannot": "This cannot happen: {what}.",
    "needed": "Needed: {reason}.",
    "in_variant": "Played in the variant {variant}.",
    "played_so": "Played so that {answer}.",
    "answered": "{question} is answered: {answer}",
    "less_than": "less than {limit}",
    "at_most": "at most {limit}",
    "more_than": "more than {limit}",
    "at_least": "at least {limit}",
    "groups_on": "groups on the {board}",
    "squares_on": "squares with something on the {board}",
    "all_on": "everything on the {board}",
    "wins": "{who} wins",
    "wins_not": "{who} does not win",
    "has_size": "{what} has {size}",
    "of": "of {whose}",
    "phase": "phase",
    "true": "true",
    "false": "false",
    "free": "free",
    "crossed": "crossed",
    "written": "written {value}",
    "try_it": "Try it",
    "try_title": "Try {title}",
    "try_how": "{page} says how it goes.",
    "setup_and_turn": "Setup and turn",
    "try_not": "This game cannot be played in a browser: its rules need more than the player there "
    "has.",
    "try_intro": "The game to press on, in this browser: throw the dice, make moves for every "
    "seat, take them back. What is allowed is offered; what is not is refused with the sentence of "
    "the rulebook. The rules are the ones that were checked, compiled to WebAssembly.",
    "try_begin": "Play from the beginning",
    "try_example": "From a worked example",
    "try_hole": "From a hole in the rules",
    "try_parting": "Where the answers to an open question part",
    "try_not_always": "Not always so: {what}",
    "try_explained": "explained",
    "try_own_site": "On your own site",
    "try_one_tag": "The page is one file that loads nothing. It works without a network, and in a "
    "page of your own with one tag:",
    "try_link": "A link that is copied on it carries the position.",
    "edition_title": "What is new: {title}",
    "edition_section": "What is new in this edition",
    "edition_rules": "What is played differently",
    "edition_words": "Said in other words, played as before",
    "edition_questions": "House rules",
    "edition_variants": "Variants",
    "edition_rest": "All the rest",
    "edition_now": "Now",
    "edition_before": "Before: {words}",
    "edition_new": "New",
    "edition_gone": "No longer",
    "edition_other": "Changed",
    "edition_asked": "The rules leave this open",
    "edition_settled": "The rules no longer leave this open",
    "edition_usual": "{question} The usual answer is now: {answer}.",
    "edition_table_before": "{table}, before",
    "edition_table_now": "{table}, now",
    "edition_looser": "{who} may now {what}.",
    "edition_stricter": "{who} may no longer {what}.",
    "edition_changed": "{who} may {what}, as before, but something else comes of it.",
    "edition_looser_alone": "This can happen now: {what}.",
    "edition_stricter_alone": "This cannot happen any more: {what}.",
    "edition_changed_alone": "This happens as before, but something else comes of it: {what}.",
    "edition_was_refused": "The old rule: {reason}.",
    "the_rule": "The rule: {reason}.",
    "edition_comes_before": "Before: {what}.",
    "edition_comes_now": "Now: {what}.",
    "edition_result": "{who}, {what} at the end: {now}; before it was {before}.",
    "edition_wins": "{who} wins now with this.",
    "edition_loses": "{who} no longer wins with this.",
    "edition_begins": "A game can now begin like this.",
    "edition_begins_not": "A game no longer begins like this.",
    "edition_same": "Everything that is not mentioned here is played as before.",
    "edition_as_before": "The game itself is played as before.",
    "edition_nothing": "Nothing is new: the game is played as before.",
    "edition_unsure": "Whether anything else is played differently is not certain.",
    "because": "because of:",
    "because_each": "because of, each alone enough:",
    "because_together": "because of, together:",
    **{f"claim_{name}": words for name, words in OBLIGATIONS.items()},
}  # fmt: skip
"""Each text by its key; two of them for one and for many."""


class Wording:
    """All that is said to readers of one language: the fixed words, and the names of a spec."""

    def __init__(self, language: str = SOURCE, names: Mapping[str, str] | None = None) -> None:
        self.language = language
        self._names = names or {}
        self._words = program_words(language)

    def __call__(self, key: str, **values: object) -> str:
        """The words for something, with these values put in. `number` chooses the form."""
        forms = self._words.get(key) or _forms(key)
        number = values.get("number")
        form = form_for(number, self.language) if isinstance(number, int) else len(forms) - 1
        return forms[min(form, len(forms) - 1)].format(**values)

    def name(self, name: str) -> str:
        """A name of a spec as one would say it: `first_action` is `first action`."""
        if name in DIRECTIONS and name not in self._names:
            return self(name)
        words = name.replace("_", " ")
        known = self._names.get(name) or self._names.get(words)
        if known is None and " " in words and self._names:  # such as the members `red 2`
            parts = [self._names.get(each, each) for each in words.split(" ")]
            known = " ".join(parts)
        return known or words

    def listed(self, words: list[str]) -> str:
        """`a, b and c`."""
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self('and')} {words[-1]}"

    def ranged(self, first: str, last: str) -> str:
        """`2 to 5`, or one of them if they are the same."""
        return first if first == last else f"{first} {self('to')} {last}"

    def player(self, number: int, seats: tuple[str, ...] | list[str] = ()) -> str:
        """A player by name, or by the number of the seat."""
        if 0 < number <= len(seats) and seats[number - 1] != str(number):
            name = seats[number - 1]
            return name[:1].upper() + name[1:]
        return self("player", number=str(number))


def form_for(number: int, language: str) -> int:
    """Which of the forms goes with a number: 0 where one thing is meant. In Icelandic 21 and 31 go
    with one, 11 does not."""
    if language == "is":
        return 0 if number % 10 == 1 and number % 100 != 11 else 1
    return 0 if number == 1 else 1


@cache
def program_words(language: str) -> Mapping[str, tuple[str, ...]]:
    """The fixed words of a language by their keys; none if there is no catalogue of it."""
    if language == SOURCE or language not in NAMES:
        return {}
    path = Path(__file__).with_name("words") / f"{language}.po"
    if not path.is_file():
        return {}
    messages = Messages(Text(path.name, path.read_text("utf-8")))
    entries = read_po(messages)
    return {each.context: each.forms for each in entries if each.context and each.is_done}


def called(language: str) -> str:
    """What a language is called by those who speak it."""
    return NAMES.get(language, language)


def _forms(key: str) -> tuple[str, ...]:
    english = ENGLISH[key]
    return (english,) if isinstance(english, str) else english
