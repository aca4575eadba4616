"""A spec in memory: what one component must do, clause by clause. `goldpiece.suite.loader` reads it from YAML."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from goldpiece.errors import UsageError
from goldpiece.suite.values import Type, Value


class Level(StrEnum):
    """How binding a clause is. Only `must` counts against a subject unless a run is strict."""

    MUST = "must"
    SHOULD = "should"
    OPTION = "option"


class Depth(StrEnum):
    """How long a run looks: seconds, as long as CI waits, or overnight."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"

    @property
    def examples(self) -> int:
        """How many examples Hypothesis tries for each law."""
        return {Depth.QUICK: 100, Depth.STANDARD: 250, Depth.DEEP: 20_000}[self]

    def reaches(self, other: "Depth") -> bool:
        """Whether what runs at the other depth runs at this one."""
        return list(Depth).index(self) >= list(Depth).index(other)


@dataclass(frozen=True)
class Parameter:
    """Something an instance of the component is built with."""

    name: str
    type: Type
    says: str
    required: bool
    default: Value
    minimum: int | None
    unit: str | None
    profiles: tuple[str, ...] | None  # None: all that the spec has
    may_be_fixed: bool = False  # although it is required: laws speak of ready-made subjects as well


@dataclass(frozen=True)
class Operation:
    """Something the component does: its inputs and outputs by name, and the errors it may end in."""

    name: str
    says: str
    input: Mapping[str, Type]
    output: Mapping[str, Type]
    errors: Mapping[str, str]
    may_lack: frozenset[str] = frozenset()  # outputs that a subject need not tell: laws do without them


@dataclass(frozen=True)
class Example:
    """A worked example: a configuration, an input, and the right output or the name of the right error."""

    number: int  # within its clause, from 1
    config: Mapping[str, Value]
    input: Mapping[str, Value]
    output: Mapping[str, Value] | None
    error: str | None
    profile: str | None  # None: each profile of the clause
    depth: Depth  # the least at which it runs
    why: str


@dataclass(frozen=True, eq=False)
class GoldenSet:
    """Fixed inputs of an operation, whose outputs are recorded in golden/<spec>/."""

    name: str
    says: str
    operation: str
    inputs: str | None  # a file of golden/inputs,
    corpus: str | None  # or the name of a corpus,
    every: int  # of which one document in so many is a case
    vocab: str | None  # a file of golden/inputs,
    data_vocab: str | None  # or of the data folder
    data: str | None  # the name of parameters that are made of the data folder
    given: Mapping[str, Value]  # parameters and inputs that all cases share
    outputs: tuple[str, ...]  # that are recorded
    profiles: tuple[str, ...]  # empty where the spec has none
    line: int

    @property
    def rows(self) -> tuple[str | None, ...]:
        """The profiles under which it is recorded."""
        return self.profiles or (None,)


@dataclass(frozen=True)
class BenchWorkload:
    """An operation on inputs of one kind, which bench/bench_<spec>.py makes: what is measured."""

    name: str
    says: str
    operation: str
    corpus: str  # where the inputs come from unless another is asked for
    given: Mapping[str, Value]  # parameters
    data_vocab: str | None  # the file of the data folder that is the parameter `vocab`; None: that of the run
    long: bool  # one call is long, and grows with the corpus: growth is measured, and not the latency of many calls
    line: int


@dataclass(frozen=True)
class Clause:
    """One normative sentence."""

    id: str
    level: Level
    says: str
    profiles: tuple[str, ...]  # empty where the spec has no profiles
    since: str
    source: str
    operation: str
    law: bool
    golden: tuple[str, ...]  # the names of golden sets that show it
    examples: tuple[Example, ...]
    reports: tuple[str, ...]  # public faults that it would have caught, by their ids in properties/reports.yaml
    line: int
    needs: tuple[str, ...] = ()  # clauses of the same spec without which it cannot hold
    power: str = ""  # what a law that judges chances can tell apart, and how surely

    @property
    def rows(self) -> tuple[str | None, ...]:
        """The profiles under which a report has a row for this clause: all that it holds for."""
        return self.profiles or (None,)


@dataclass(frozen=True)
class Erratum:
    """Where a source is wrong, and what is right."""

    source: str
    says: str
    right: str
    why: str


@dataclass(frozen=True, eq=False)
class Spec:
    """The authority on one component. There is one object for each file, equal only to itself."""

    name: str
    version: str
    title: str
    summary: str
    reference: str
    unicode: str | None
    sources: Mapping[str, str]
    profiles: Mapping[str, str]
    parameters: Mapping[str, Parameter]
    operations: Mapping[str, Operation]
    clauses: tuple[Clause, ...]
    golden: Mapping[str, GoldenSet]
    bench: Mapping[str, BenchWorkload]
    tables: Mapping[str, Mapping[str, tuple[int, ...]]]  # name → profile → code points, in the order written
    errata: tuple[Erratum, ...]
    definitions: Mapping[str, str]  # what clauses speak of
    path: Path

    def table(self, name: str, profile: str) -> tuple[int, ...]:
        """The code points of one of the spec's tables under a profile; none where the table does not mention it."""
        return self.tables[name].get(profile, ())


@dataclass(frozen=True, eq=False)
class Specs:
    """All specs, by name."""

    by_name: Mapping[str, Spec]

    def __iter__(self) -> Iterator[Spec]:
        return iter(self.by_name.values())

    @property
    def profiles(self) -> tuple[str, ...]:
        """Every profile of any spec."""
        return tuple(dict.fromkeys(profile for spec in self for profile in spec.profiles))

    def named(self, name: str) -> Spec:
        if name not in self.by_name:
            raise UsageError(f"there is no spec {name!r}; there are {', '.join(self.by_name)}")
        return self.by_name[name]

    def clause(self, clause_id: str) -> Clause:
        for spec in self:
            for clause in spec.clauses:
                if clause.id == clause_id:
                    return clause
        raise UsageError(f"there is no clause {clause_id!r}; `goldpiece spec list` names them all")

    def profile(self, name: str) -> str:
        if name not in self.profiles:
            raise UsageError(f"there is no profile {name!r}; there are {', '.join(self.profiles)}")
        return name
