"""The published JSON schemas, for the tests that hold output against them."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from tests.conftest import ROOT

FOLDER = ROOT / "docs" / "schemas"
SCHEMAS: dict[str, Any] = {
    path.name: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
REGISTRY = Registry().with_resources(
    (name, Resource.from_contents(schema, default_specification=DRAFT202012))
    for name, schema in SCHEMAS.items()
)


def errors(schema: str, instance: Any) -> list[str]:
    """The first thing a schema has against some JSON, if anything. The schema is named as in
    `trace` or `protocol#/$defs/apply_answer`."""
    name, hash, inside = schema.partition("#")
    validator = Draft202012Validator(
        {"$ref": f"{name}.schema.json{hash}{inside}"}, registry=REGISTRY
    )
    found = next(validator.iter_errors(instance), None)
    return [] if found is None else [f"{found.json_path}: {found.message[:200]}"]
