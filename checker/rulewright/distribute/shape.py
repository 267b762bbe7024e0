"""Whether JSON that came from elsewhere has the form that it is read by.

A form is written as the JSON would look, with types for values: `{"line": int, "names": [str]}`.
`{str: int}` is an object with any names, `Row(str, int)` a list of just these, and `Either(str,
None)` the one or the other. `object` is anything at all.
"""

from __future__ import annotations

import json
import math
from typing import Any


class Row:
    """A list of so many values, each of its form."""

    def __init__(self, *forms: Any) -> None:
        self.forms = forms


class Either:
    """A value of one of these forms."""

    def __init__(self, *forms: Any) -> None:
        self.forms = forms


def read_json(text: str, form: Any) -> Any:
    """The JSON in a text; raises a ValueError where it is none, or has another form."""
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise ValueError("this is too deep") from error
    if not fits(found, form):
        raise ValueError("this has another form than an answer")
    return found


def fits(value: Any, form: Any) -> bool:
    """Whether a value has a form."""
    match form:
        case None:
            return value is None
        case Either():
            return any(fits(value, each) for each in form.forms)
        case Row():
            return (
                isinstance(value, list)
                and len(value) == len(form.forms)
                and all(map(fits, value, form.forms))
            )
        case [each]:
            return isinstance(value, list) and all(fits(one, each) for one in value)
        case dict():
            if not isinstance(value, dict):
                return False
            if str in form:
                return all(fits(each, form[str]) for each in value.values())
            return value.keys() == form.keys() and all(
                fits(each, form[name]) for name, each in value.items()
            )
    if form is object:
        return True
    if form is float:
        return type(value) in (int, float) and math.isfinite(value)
    return type(value) is form
