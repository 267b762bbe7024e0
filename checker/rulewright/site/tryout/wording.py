"""The fixed words of the try page: all that is not from a spec. `{names}` in braces are put in by
the page. English is written here; other languages have them in the catalogues of `translate/words`,
with `try` before the key."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.translate.wording import program_words

CONTEXT = "try "

ENGLISH = {
    "title": "Try {title}",
    "intro": "Play for every seat, by the very rules that were checked. Press a field, a tile or a "
    "square; what the rules refuse is refused with their sentence. Nothing leaves this page.",
    "no_script": "This page plays the game with JavaScript, which is switched off here.",
    "language": "Language",
    "setup": "Set up",
    "from": "Start from",
    "beginning": "the beginning",
    "examples": "a worked example",
    "holes": "a hole in the rules",
    "partings": "a position where readings part",
    "players": "Players",
    "player": "Player {number}",
    "variant": "Variant",
    "no_variant": "the game itself",
    "questions": "House rules",
    "usual": "(usual)",
    "open_choices": "Chosen when the game begins",
    "begin": "Begin",
    "table": "The table",
    "everybody": "For everybody",
    "to_do": "What can happen now",
    "chance": "Chance decides",
    "throw": "Throw",
    "let_chance": "Let chance decide",
    "any": "Anything else",
    "any_hint": "Say exactly what to do, allowed or not.",
    "move": "What",
    "who": "Who",
    "nobody": "chance",
    "attempt": "Do it",
    "legal": "Allowed now",
    "more_legal": "{number} more; press a field, a tile or a square to see those that change it",
    "meant": "Which do you mean?",
    "none_legal": "Nobody can do anything.",
    "clear": "Never mind",
    "undo": "Undo",
    "again": "Back to the start",
    "link": "Copy a link to this position",
    "link_copied": "The link is copied.",
    "link_shown": "The link to this position:",
    "next_step": "Next step",
    "all_steps": "All steps",
    "step_of": "Step {number} of {all}",
    "steps_over": "That was the last step; play on as you like.",
    "so_far": "What happened",
    "nothing_yet": "Nothing yet.",
    "refused": "Not allowed: {what}.",
    "rule": "The rule: {rule}.",
    "rulebook": "The rulebook:",
    "unmet": "{label}",
    "done": "Done: {what}.",
    "undone": "Taken back: {what}.",
    "over": "The game is over.",
    "scores": "Points",
    "winners": "Winners",
    "no_winner": "nobody",
    "phase": "Now",
    "other_reading": "By this answer event {number} is not allowed: {what}.",
    "replayed": "Played again under the new answer.",
    "same": "Played again: the position is the same as before.",
    "differs": "Played again: now different are {names}.",
    "other_position": "This position cannot be played there: {why}",
    "broken": "Against the rules in this position: {what}.",
    "bad_link": "This link cannot be opened: {why}",
    "failed": "The rules give up here: {why}",
    "unknown_fault": "Something went wrong in this page: {why}",
    "empty": "empty",
    "none": "none",
    "yes": "yes",
    "no": "no",
    "add": "Add",
    "take_away": "Take {what} away",
    "put": "Put there",
    "square": "Square",
    "tile": "Tile",
    "tiles": "{number} tiles",
    "hand": "In hand: {what}",
    "board_hint": "Choose a tile, then press its square on the board; press it again to take it "
    "away.",
    "changes": "On the board: {what}",
    "no_changes": "nothing put down yet",
    "about_hole": "Why: {why}.",
    "about_parting": "Another answer: {why}. Change it under “House rules” and see.",
}


def try_words(language: str) -> Mapping[str, str]:
    """The words of the page in a language; what its catalogue lacks is said in English."""
    known = program_words(language)
    return {
        key: known[CONTEXT + key][0] if CONTEXT + key in known else english
        for key, english in ENGLISH.items()
    }
