"""Certifies what `prove` has proved, and checks certificates: the independent checker as a user
meets it. What is not certified is told by name with the reason, and makes the outcome undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.certify.certificate import LARGEST, Certificate, CertificateError, read, written
from rulewright.certify.certifier import certify
from rulewright.certify.claim import HELPER, Certified, Claim, Hints
from rulewright.certify.smt.solver import Z3, Cvc5, Solver
from rulewright.cli.errors import RefusalError
from rulewright.cli.exit_codes import HOLDS, UNDECIDED
from rulewright.cli.exit_status import STATUS
from rulewright.cli.inputs.open_game import open_game
from rulewright.cli.output.named_files import write_output
from rulewright.cli.progress import Progress
from rulewright.diagnostics import Diagnostic, Messages
from rulewright.frontend import LoadedSpec
from rulewright.play.semantics.instance import Configuration
from rulewright.prove.run.proof_result import QUIET, ProofResult
from rulewright.prove.verdict.verdict import PROVED, REFUTED, Verdict
from rulewright.report.model import Result
from rulewright.syntax.node import NOWHERE, replace
from rulewright.system.interrupts import Limit
from rulewright.system.whole_file import whole_text


class Certification:
    """The certification of one run: what came of it, spec by spec."""

    def __init__(self, second_solver: bool, limit: Limit, progress: Progress) -> None:
        self._second: Solver | None = Cvc5() if second_solver else None
        self._limit = limit
        self._progress = progress
        self.found: list[tuple[LoadedSpec, Configuration, list[Certified]]] = []

    def certify(self, checked: LoadedSpec, certificate: Certificate) -> list[Certified]:
        """Certifies claims in one way to play."""
        assert checked.spec is not None
        configuration = certificate.configuration
        open_game(
            checked, configuration.players, dict(configuration.readings), configuration.variant
        )
        name = checked.spec.name
        found = certify(
            checked, configuration, certificate.claims, certificate.hints, Z3(), self._second,
            lambda line: self._progress.say(f"certifying {name}: {line}"),
            lambda: self._limit.left() == 0,
        )  # fmt: skip
        self.found.append((checked, configuration, found))
        return found

    def proved(self, checked: LoadedSpec, proved: ProofResult) -> dict[tuple[str, str], Certified]:
        """Certifies what was proved in one way to play; by name and kind."""
        way = proved.configuration
        configuration = Configuration(way.players, tuple(way.readings), way.variant)
        found = self.certify(checked, claimed(configuration, proved.verdicts))
        return {(each.claim.name, each.claim.kind): each for each in found}

    def exit(self) -> int:
        everything = (each for _, _, found in self.found for each in found)
        return HOLDS if all(each.certified for each in everything) else UNDECIDED

    def summary(self) -> dict[str, object]:
        """How much there was to show, and how much was shown."""
        every = [each for _, _, found in self.found for each in found]
        parts = [one for each in every for one in each.obligations]
        counts: dict[str, object] = {
            "claims": len(every), "certified": sum(each.certified for each in every),
            "obligations": len(parts), "confirmed": sum(one.confirmed for one in parts),
            "questions": sum(one.questions for one in parts),
        }  # fmt: skip
        if self._second is not None:
            counts["cvc5_agreed"] = sum(one.agreed for one in parts)
            counts["cvc5_undecided"] = sum(one.undecided for one in parts)
        return counts

    def closing(self) -> str:
        """`certified: 44 of 44 claims, 620 of 620 obligations by 812 questions`."""
        told = self.summary()
        line = (
            f"certified: {told['certified']} of {told['claims']} claims, {told['confirmed']} of "
            f"{told['obligations']} obligations by {told['questions']} questions"
        )
        if self._second is not None:
            line += (
                f"; of all refutations cvc5 confirms {told['cvc5_agreed']} and cannot decide "
                f"{told['cvc5_undecided']}"
            )
        return line

    def save(self, path: Path) -> None:
        """Writes the certificate of the one spec that there is."""
        specs = {id(checked): checked for checked, _, _ in self.found}
        if len(specs) != 1:
            raise RefusalError("a certificate is about one spec", "name one SPEC")
        (checked,) = specs.values()
        assert checked.spec is not None and checked.hash is not None
        found = [(configuration, certified) for _, configuration, certified in self.found]
        write_output(path, written(checked.spec.name, checked.hash, found))


def claimed(configuration: Configuration, verdicts: Sequence[Verdict]) -> Certificate:
    """What verdicts claim: what is proved, but by a game, and what is proved to be impossible."""
    claims, used, helpers = [], {}, dict[str, None]()
    for each in verdicts:
        impossible = each.kind == "possible" and each.verdict == REFUTED
        proved = each.kind != "possible" and each.verdict == PROVED
        if each.kind in QUIET or not (impossible or proved):
            continue
        depth = each.depth if each.kind == "ends" else None
        claims.append(Claim(each.name, each.kind, depth))
        used[each.name] = tuple(each.used)
        helpers |= {one.removeprefix(HELPER): None for one in each.used if one.startswith(HELPER)}
    return Certificate(configuration, tuple(claims), Hints(tuple(helpers), used))


def noted(checked: LoadedSpec, result: Result, found: Certified | None) -> Result:
    """A result of `prove` with what came of its certification."""
    certified = None if found is None else found.certified
    data = {**result.data, "certified": certified}
    if found is None or found.certified:
        return replace(result, data=data)
    data["not_certified"] = found.reason
    told = _diagnostic(checked, found)
    return replace(
        result, data=data, status=STATUS[UNDECIDED], diagnostics=(*result.diagnostics, told)
    )


def unnoted(
    checked: LoadedSpec, found: dict[tuple[str, str], Certified], verdicts: Sequence[Verdict]
) -> Iterator[Diagnostic]:
    """What is not certified and has no result of its own: helpers, say."""
    names = {(each.name, each.kind) for each in verdicts}
    for key, each in found.items():
        if key not in names and not each.certified:
            yield _diagnostic(checked, each)


def results_of(
    checked: LoadedSpec, configuration: Configuration, found: Sequence[Certified]
) -> list[Result]:
    """What came of a certificate that was checked."""
    results = []
    for each in found:
        exit = HOLDS if each.certified else UNDECIDED
        data = {
            "name": each.claim.name, "kind": each.claim.kind, "players": configuration.players,
            "readings": dict(configuration.readings), "variant": configuration.variant,
            "verdict": "proved" if each.certified else "unknown", "depth": each.claim.depth,
            "certified": each.certified, "reason": each.reason or None,
            "rests_on": list(each.rests_on), "obligations": len(each.obligations),
            "accepted": None,
        }  # fmt: skip
        told = () if each.certified else (_diagnostic(checked, each),)
        results.append(Result(each.claim.name, STATUS[exit], data, (), told))
    return results


def certificates(checked: LoadedSpec, path: Path) -> list[Certificate]:
    """What a file claims of a spec."""
    try:
        spec_hash, found = read(whole_text(path, LARGEST))
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise RefusalError(f"`{path}` cannot be read: {reason}", "check the path") from error
    except (CertificateError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        raise RefusalError(
            f"`{path}` is no certificate: {reason}",
            "make one with `rulewright prove SPEC --certify --certificate FILE`",
        ) from error
    if spec_hash != checked.hash:
        raise RefusalError(
            f"`{path}` is about another version of the spec ({spec_hash}, not {checked.hash})",
            "make one for this version: `rulewright prove SPEC --certify --certificate FILE`",
        )
    return found


def _diagnostic(checked: LoadedSpec, found: Certified) -> Diagnostic:
    assert checked.text is not None and checked.spec is not None
    declared = {each.name: each.span for each in checked.spec.properties}
    declared |= {each.name: each.span for each in checked.spec.ends}
    span = declared.get(found.claim.name, NOWHERE)
    messages = Messages(checked.text)
    messages.warning(
        "RW305", span, f"`{found.claim.name}` is not certified: {found.reason}",
        "it is as good as the prover says, and no better",
    )  # fmt: skip
    return messages.all[0]
