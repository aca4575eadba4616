"""Runs one check against one subject: deterministic, with every setting explicit, and an outcome whatever happens."""

import gc
import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis.errors import Flaky, HypothesisException
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from goldpiece.errors import HarnessError
from goldpiece.suite.component import Call, Component, Disagreement, Instance
from goldpiece.suite.golden.cases import Case, cases
from goldpiece.suite.golden.recorded import kept, recorded_outputs
from goldpiece.suite.law import SCOPE, SEED, Law
from goldpiece.suite.scope import Scope
from goldpiece.suite.spec import Clause, Example, GoldenSet, Specs
from goldpiece.suite.subject import OutOfPatience, Subject, SubjectFailure, Unsupported
from goldpiece.suite.subjects.objects import describe
from goldpiece.suite.values import Value, abridged
from goldpiece.suite.verdict import Counterexample, Outcome, Verdict

CONSTANTS = "_local_constants"  # a name inside Hypothesis
COMPARABLE = "an answer whose parts belong together, so that the law can compare them"
DEPENDS = "it did not happen again with the same input: what the subject does depends on earlier calls"


class _HarnessBroke(BaseException):
    """An exception of a law itself. Hypothesis would seek the smallest input for it; of this kind it lets it pass."""

    def __init__(self, error: Exception) -> None:
        self.error = error


@dataclass
class Tally:
    """What happened in the examples of one check."""

    components: Mapping[str, Component]
    explains: bool = True  # whether somebody will read why it failed
    attempted: int = 0
    unsupported: list[str] = field(default_factory=list)
    problem: Disagreement | SubjectFailure | None = None
    counterexample: Counterexample | None = None  # that of the last failing example: after shrinking, the smallest
    failing: Callable[[], None] | None = None  # that example
    cut_short: str | None = None  # why no more examples were tried

    def begin(self) -> None:
        """What comes next has nothing to do with what came before."""
        for component in self.components.values():
            component.begin()

    def one(self, body: Callable[[], None]) -> None:
        """Runs one example, and keeps what became of it."""
        self.attempted += 1
        try:
            body()
        except Unsupported as reason:
            self.unsupported.append(str(reason))
        except OutOfPatience as reason:
            self.cut_short = str(reason)
            if self.problem is None:
                raise
        except (Disagreement, SubjectFailure) as problem:
            self._keep(problem, body)
            raise
        except HypothesisException:
            raise
        except Exception as error:
            answered = any(component.last for component in self.components.values())
            if not (answered and isinstance(error, ValueError | LookupError | TypeError)):
                raise _HarnessBroke(error) from error
            # A law that holds with the reference stumbles over answers whose parts do not belong together.
            stumbled = Disagreement(COMPARABLE, describe(error))
            self._keep(stumbled, body)
            raise stumbled from error

    def _keep(self, problem: Disagreement | SubjectFailure, body: Callable[[], None]) -> None:
        self.problem, self.failing = problem, body
        self.counterexample = self._counterexample(problem)

    def remark(self, note: str) -> None:
        """Adds to what is said of the failing example."""
        if self.counterexample:
            notes = [note, self.counterexample.note] if self.counterexample.note else [note]
            self.counterexample = replace(self.counterexample, note="; ".join(notes))

    def outcome(self, blank: Outcome) -> Outcome:
        """The verdict: a check of which less than half could be executed is not run."""
        executed = self.attempted - len(self.unsupported)
        inputs = sum(component.inputs for component in self.components.values())
        counted = replace(blank, executed=executed, attempted=self.attempted, inputs=inputs)
        if isinstance(self.problem, SubjectFailure):
            return replace(
                counted, verdict=Verdict.ERRORS, reason=str(self.problem), counterexample=self.counterexample
            )
        if self.problem:
            return replace(counted, verdict=Verdict.FAILS, counterexample=self.counterexample)
        if executed * 2 >= self.attempted > 0:
            return counted
        reason = "the subject does not take " + "; ".join(list(dict.fromkeys(self.unsupported))[:3])
        if executed == 0 or blank.kind == "golden":  # whose cases are fixed, and not drawn from what a subject takes
            return replace(counted, verdict=Verdict.UNSUPPORTED, reason=reason)
        share = f"only {executed} of {self.attempted} examples could be executed"
        return replace(counted, verdict=Verdict.NOT_RUN, reason=f"{share}: {reason}")

    def _counterexample(self, problem: Disagreement | SubjectFailure) -> Counterexample:
        given = [_given(component, component.last) for component in self.components.values() if component.last]
        if isinstance(problem, Disagreement):
            return Counterexample(
                given, abridged(problem.expected), abridged(problem.actual), self._explanation(problem)
            )
        return Counterexample(given, None, None, "")

    def _explanation(self, problem: Disagreement) -> str:
        try:
            return problem.explained() if self.explains else ""
        except OutOfPatience as reason:
            return f"how far it goes is not known: {reason}"


def _given(component: Component, call: Call) -> dict[str, object]:
    """A call as reports have it: of the parameters only those that are not at their default."""
    parameters = component.spec.parameters
    config = {
        name: value
        for name, value in call.config.items()
        if parameters[name].required or value != parameters[name].default
    }
    return {"config": abridged(config), "operation": call.operation, "input": abridged(call.input)}


def run_law(law: Law, subject: Subject, specs: Specs, scope: Scope, seed: int, shrink: bool = True) -> Outcome:
    """Puts a subject to a law."""
    names = [name for name in law.arguments if name not in (SCOPE, SEED)]
    blank = Outcome(law.clause, scope.profile, "law", f"law {law.name}", Verdict.HOLDS)
    if unknown := [name for name in names if name not in specs.by_name]:
        raise HarnessError(f"the law {law.name} of {law.clause} takes {', '.join(unknown)}, which is no component")
    if reason := _missing(subject, names):
        return replace(blank, verdict=Verdict.UNSUPPORTED, executed=0, attempted=0, reason=reason)
    components = {name: Component(subject, specs.named(name), scope.profile) for name in names}
    conditions: dict[str, object] = {SCOPE: scope, SEED: law_seed(law.clause, seed)}
    fixed = components | {name: value for name, value in conditions.items() if name in law.arguments}
    tally = Tally(components, explains=shrink)

    def example(**drawn: object) -> None:
        tally.begin()
        tally.one(lambda: law.function(**fixed, **drawn))

    return _timed(blank, tally, lambda: _explore(law, example, scope, seed, shrink))


def run_example(
    clause: Clause, test: Callable[[Component, Example, str], None], example: Example, subject: Subject, scope: Scope
) -> Outcome:
    """Puts a subject to a worked example of a clause."""
    blank = Outcome(clause.id, scope.profile, "example", f"example {example.number}", Verdict.HOLDS)
    if reason := _missing(subject, [scope.spec.name]):
        return replace(blank, verdict=Verdict.UNSUPPORTED, executed=0, attempted=0, reason=reason)
    if not scope.surrogates and _holds_surrogates([*example.config.values(), *example.input.values()]):
        return replace(blank, verdict=Verdict.UNSUPPORTED, executed=0, reason="the subject takes no lone surrogates")
    component = Component(subject, scope.spec, scope.profile)
    tally = Tally({scope.spec.name: component})
    return _timed(blank, tally, lambda: tally.one(lambda: test(component, example, clause.operation)))


def run_golden(clause: Clause, test: Callable[..., None], golden: GoldenSet, subject: Subject, scope: Scope) -> Outcome:
    """Puts a subject to the recorded cases of a golden set; those that are alike share an instance."""
    blank = Outcome(clause.id, scope.profile, "golden", f"golden {golden.name}", Verdict.HOLDS)
    if reason := _missing(subject, [scope.spec.name]):
        return replace(blank, verdict=Verdict.UNSUPPORTED, executed=0, attempted=0, reason=reason)
    shared = _Shared(Component(subject, scope.spec, scope.profile))
    tally = Tally({scope.spec.name: shared.component})
    of_the_set = zip(cases(scope.spec, golden).each, recorded_outputs(scope.spec, golden, scope.profile), strict=True)

    def run() -> None:
        for case, right in of_the_set:
            note = f"case {case.number} of golden {scope.spec.name}/{golden.name}"
            tally.one(partial(_golden_case, test, shared, golden, case, right, note))

    return _timed(blank, tally, run)


@dataclass
class _Shared:
    """An instance for all cases that come one after the other with the same configuration."""

    component: Component
    instance: Instance | None = None

    def of(self, config: Mapping[str, Value]) -> Instance:
        if self.instance is None or self.instance.config != config:
            self.component.begin()
            self.instance = self.component(**config)
        return self.instance


def _golden_case(
    test: Callable[..., None], shared: _Shared, golden: GoldenSet, case: Case, right: Mapping[str, Value], note: str
) -> None:
    test(shared.of(case.config), golden.operation, case.input, right, partial(kept, golden), note)


def law_seed(clause: str, seed: int) -> int:
    """The Hypothesis seed of a clause's laws: a hash, so that clauses do not share their luck."""
    return int.from_bytes(hashlib.sha256(f"{clause}:{seed}".encode()).digest()[:8])


def _timed(blank: Outcome, tally: Tally, run: Callable[[], None]) -> Outcome:
    start = time.perf_counter()
    try:
        run()
    except Unsupported as reason:  # raised while the strategies were made
        return replace(blank, verdict=Verdict.UNSUPPORTED, executed=0, reason=f"the subject does not take {reason}")
    except OutOfPatience as reason:
        return replace(blank, verdict=Verdict.NOT_RUN, executed=0, reason=str(reason))
    except _HarnessBroke as broke:
        raise broke.error from None
    except (Disagreement, SubjectFailure):
        _confirm(tally, blank.kind)
    except Flaky as error:
        if tally.counterexample is None:
            raise HarnessError(
                f"the law of {blank.clause} draws other examples each time: {describe(error)}"
            ) from error
        tally.remark(f"no smaller input was sought: {tally.cut_short}" if tally.cut_short else DEPENDS)
    except HypothesisException as error:
        raise HarnessError(f"the law of {blank.clause} cannot draw its examples: {describe(error)}") from error
    finally:
        for component in tally.components.values():
            component.end()
    return replace(tally.outcome(blank), seconds=time.perf_counter() - start)


def _confirm(tally: Tally, kind: str) -> None:
    """Tries the smallest failing example of a law again, where the subject can be started afresh."""
    subject = next(iter(tally.components.values())).subject
    assert tally.failing
    tally.begin()
    if kind != "law" or not subject.restart():
        return
    try:
        tally.failing()
    except SubjectFailure as problem:
        tally.problem = problem  # it says more: after a hang, smaller inputs had less time
        subject.restart()
    except (Disagreement, OutOfPatience):
        pass
    else:
        tally.remark(DEPENDS)


def _explore(law: Law, example: Callable[..., None], scope: Scope, seed: int, shrink: bool) -> None:
    if not law.strategies:
        example()
        return
    strategies = {name: make(scope) for name, make in law.strategies.items()}
    # Every setting is explicit: neither the variable CI nor a user's Hypothesis profile may change a run.
    settings = hypothesis.settings(
        max_examples=scope.depth.examples,
        phases=[Phase.generate, Phase.shrink] if shrink else [Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        stateful_step_count=50,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        backend="hypothesis",
    )
    with unaided_draws(), rare_collections():
        hypothesis.seed(law_seed(law.clause, seed))(settings(hypothesis.given(**strategies)(example)))()


@contextmanager
def unaided_draws() -> Iterator[None]:
    """Hypothesis now and then draws a constant that it finds in the modules around it. Here it finds none.

    Else a run would depend on what lies in the folder that it is started from, on how Goldpiece is installed, and on
    the number of workers. It is the class that is changed, since shrinking makes instances without asking which.
    """
    provider = providers.HypothesisProvider
    before = vars(provider)[CONSTANTS]
    setattr(provider, CONSTANTS, Constants())
    try:
        yield
    finally:
        setattr(provider, CONSTANTS, before)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Draws make many small objects, hardly any of them in cycles: looking for those often takes a tenth of a check.

    They are looked for after 20,000 objects instead of 700, which are some megabytes.
    """
    before = gc.get_threshold()
    gc.set_threshold(20_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _missing(subject: Subject, components: list[str]) -> str | None:
    for name in components:
        if name not in subject.declaration.components:
            return subject.declaration.reasons.get(name, f"the subject has no {name}")
    return None


def _holds_surrogates(value: Value) -> bool:
    match value:
        case str():
            return not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value)
        case list():
            return any(map(_holds_surrogates, value))
    return False
