"""A variant of a game: its tree, made from the game's by replacing what the variant says."""

from __future__ import annotations

from rulewright.diagnostics import Messages, Suggestion
from rulewright.meaning.names.symbol_table import WITH_REQUIREMENTS, SymbolTable, suggestion
from rulewright.syntax import tree as t
from rulewright.syntax.node import Span, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def with_variant(spec: t.Spec, name: str) -> t.Spec:
    """The declarations with the variant's changes made. It must have been checked before."""
    variant = next(
        each for each in spec.declarations
        if isinstance(each, t.Variant) and each.name.text == name
    )  # fmt: skip
    declarations: list[t.Declaration] = list(spec.declarations)
    for item in variant.items:
        match item:
            case t.Table():
                declarations = [
                    item
                    if isinstance(each, t.Table)
                    and each.declarator.name.text == item.declarator.name.text
                    else each
                    for each in declarations
                ]
            case t.Const() | t.Fun():
                declarations = [
                    item if type(each) is type(item) and each.name.text == item.name.text else each
                    for each in declarations
                ]
            case t.Replace(span, path, prose, cites, condition):
                owner, label = path.parts[0], path.parts[-1]
                ident = t.Ident(path.span, label)
                new = t.Requirement(span, ident, prose, cites, condition)
                declarations = [_with(each, owner, label, (new,)) for each in declarations]
            case t.Add(span, path, prose, cites, condition):
                ident = t.Ident(path.span, path.parts[-1])
                new = t.Requirement(span, ident, prose, cites, condition)
                declarations = [_with(each, path.parts[0], None, (new,)) for each in declarations]
            case t.Drop(_, path) if len(path.parts) == 1:
                declarations = [
                    each for each in declarations
                    if not (isinstance(each, t.Property | t.Ends) and each.name.text == path.text)
                ]  # fmt: skip
            case t.Drop(_, path):
                owner, label = path.parts[0], path.parts[-1]
                declarations = [_with(each, owner, label, ()) for each in declarations]
    return t.Spec(spec.span, tuple(declarations))


REQUIREMENTS_OF: dict[type, str] = {
    t.Rule: "items",
    t.Move: "needs",
    t.Chance: "needs",
    t.Step: "when",
}
"""Which field of a declaration holds its requirements."""


def _with(
    declaration: t.Declaration, owner: str, label: str | None, new: tuple[t.Requirement, ...]
) -> t.Declaration:
    """The declaration with one of its requirements replaced, or (no label) with a new one."""
    field = REQUIREMENTS_OF.get(type(declaration))
    named: Any = declaration  # whatever has requirements has a name
    if field is None or named.name.text != owner:
        return declaration
    items = getattr(declaration, field)
    if label is None:
        return replace(declaration, **{field: items + new})
    changed: list[t.Requirement | t.Include] = []
    for item in items:
        if isinstance(item, t.Requirement) and item.name.text == label:
            changed += new
        else:
            changed.append(item)
    return replace(declaration, **{field: tuple(changed)})


def check_variant(variant: t.Variant, names: SymbolTable, messages: Messages) -> None:
    """Whether everything a variant changes is there to be changed."""
    for item in variant.items:
        match item:
            case t.Table():
                _known(names, "table", item.declarator.name)
                original = names.of("table").get(item.declarator.name.text)
                if original is not None and original.declarator != item.declarator:
                    messages.error(
                        "RW206", item.declarator.span,
                        f"the variant's table `{item.declarator.name.text}` has another type",
                        "a replaced table keeps its indices and its type",
                    )  # fmt: skip
            case t.Const():
                _known(names, "constant", item.name)
            case t.Fun():
                _known(names, "function", item.name)
            case t.Replace(_, path) | t.Drop(_, path) if len(path.parts) > 1:
                _requirement(names, path, messages)
            case t.Add(_, path):
                _owner(names, path, messages)
                label = path.parts[-1]
                ident = t.Ident(Span(path.span.end - len(label), path.span.end), label)
                names.references.define("requirement", ident, item.span, path.parts[0])
            case t.Drop(_, path):
                names.require("property", path, "RW113")
            case t.Replace(_, path):
                whole = [f"{each}.{path.text}" for each in _owners(names, path.text)]
                messages.error(
                    "RW113", path.span, f"`{path.text}` does not say whose requirement it is",
                    Suggestion(f"write `{whole[0]}`", whole[0]) if len(whole) == 1
                    else "write `rule.label` or `move.label`",
                )  # fmt: skip


def _known(names: SymbolTable, kind: str, ident: t.Ident) -> None:
    names.require(kind, ident, "RW113", "a variant replaces what the game has")


def _owner(names: SymbolTable, path: t.Path, messages: Messages) -> Any | None:
    found = names.owner(path.parts[0], Span(path.span.start, path.span.start + len(path.parts[0])))
    if found is not None:
        return found
    known = [name for kind in WITH_REQUIREMENTS for name in names.of(kind)]
    messages.error(
        "RW113", path.span, f"there is no rule or move `{path.parts[0]}`",
        suggestion(
            path.parts[0], known, "write `rule.label` or `move.label`",
            ".".join(("{}", *path.parts[1:])),
        ),
    )  # fmt: skip
    return None


def _labels(owner: Any) -> list[str]:
    """The labels of the requirements of a rule, a move or a chance event."""
    items = getattr(owner, REQUIREMENTS_OF[type(owner)])
    return [item.name.text for item in items if isinstance(item, t.Requirement)]


def _owners(names: SymbolTable, label: str) -> list[str]:
    """Whatever has a requirement of this name."""
    return [
        name for kind in WITH_REQUIREMENTS for name, owner in names.of(kind).items()
        if label in _labels(owner)
    ]  # fmt: skip


def _requirement(names: SymbolTable, path: t.Path, messages: Messages) -> None:
    owner = _owner(names, path, messages)
    if owner is None:
        return
    labels = _labels(owner)
    if path.parts[-1] not in labels:
        messages.error(
            "RW113", path.span, f"`{path.parts[0]}` has no requirement `{path.parts[-1]}`",
            suggestion(
                path.parts[-1], labels, f"it has {', '.join(labels) or 'none of its own'}",
                f"{path.parts[0]}.{{}}",
            ),
        )  # fmt: skip
    names.references.use_label(path, path.text)
