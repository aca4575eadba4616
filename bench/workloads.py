"""What a workload is, and the inputs that workloads take from a corpus."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from goldpiece.errors import FileError
from goldpiece.suite.corpus import documents
from goldpiece.suite.spec import Spec
from goldpiece.suite.values import Value

Given = TypeVar("Given")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    sentences: int  # whose number, or that of their words, is that of the inputs
    document: int  # characters of a long document
    rounds: int  # at least so many, and more until there are so many seconds
    seconds: float
    calls: int  # whose latencies are taken
    processes: int  # started to find the time of an import
    wide: bool = False  # whether rows are as wide as those of a model
    scale: int = 1  # of what is not made of the corpus
    entries: int = 4_000  # of the vocabulary, unless another is asked for

    def times(self, factor: int) -> "Effort":
        """So many times as much to do in one pass."""
        more = {name: getattr(self, name) * factor for name in ("sentences", "document", "scale")}
        return replace(self, **more)


EFFORTS: Mapping[str, Effort] = {
    "smoke": Effort(sentences=12, document=2_000, rounds=1, seconds=0.01, calls=50, processes=1, entries=1_000),
    "quick": Effort(sentences=60, document=10_000, rounds=3, seconds=0.1, calls=200, processes=3),
    "full": Effort(sentences=500, document=100_000, rounds=15, seconds=2.0, calls=2_000, processes=15, wide=True),
}


@dataclass(frozen=True, eq=False)
class Material:
    """What a workload makes its inputs from."""

    text: str
    vocab: Sequence[str]
    effort: Effort

    @property
    def sentences(self) -> Sequence[str]:
        """Lines of the text that are not blank, taken at even distances from all of it."""
        lines = [line for line in self.text.split("\n") if line.strip()]
        step = max(1, len(lines) // self.effort.sentences)
        return lines[::step][: self.effort.sentences]

    @property
    def document(self) -> str:
        """The beginning of the text, up to the end of a line."""
        return next(documents(self.text, self.effort.document), "")


@dataclass(frozen=True)
class Setup:
    """What an operation is built with: the parameters of the spec, and a folder for files, if it needs one."""

    config: Mapping[str, Any]  # each parameter is of a type of its own
    folder: Path


def as_it_is(value: Any) -> Any:
    """For what is a JSON value already, whichever."""
    return value


@dataclass(frozen=True)
class Ready(Generic[Given, Result]):
    """An operation of one subject, built. `call` is what is timed: a call of the subject's own, from its own input to
    its own result. To make its input from JSON values and JSON values of its result is never billed to it.
    """

    call: Callable[[Given], Result]
    plain: Callable[[Result], Value] = as_it_is
    take: Callable[[Any], Given] = as_it_is
    # Of an input and an output whether it is right, where a subject draws random numbers of its own.
    is_right: Callable[[Value, Value], bool] | None = None


AnyReady: TypeAlias = Ready[Any, Any]  # what lies between `take`, `call` and `plain` is each subject's own
Builder: TypeAlias = Callable[[Setup], AnyReady]


Inputs: TypeAlias = Callable[[Material], Sequence[Value]]
Outputs: TypeAlias = Callable[[Material, Sequence[Value]], Sequence[Value]]


@dataclass(frozen=True, eq=False)
class Case:
    """What the spec cannot say of a workload."""

    inputs: Inputs
    right: Outputs  # the output for each input, by definition
    tokens: Callable[[Value, Value], int] | None = None  # how many an input and its output are; None if there are none
    config: Mapping[str, Value] = field(default_factory=dict)  # parameters that are made, and not written


@dataclass(frozen=True, eq=False)
class Workload:
    """One operation on one kind of inputs, for any subject. Its name and what it does never depend on the subject."""

    component: str
    name: str
    operation: str
    corpus: str  # where its inputs come from unless another is asked for
    case: Case
    config: Mapping[str, Value]
    takes_vocab: bool
    long: bool  # one call is long: there are too few for a p99
    data_vocab: str | None = None  # a file of the data folder, which is its vocabulary, whatever that of a run is
    apart: bool = False  # a call runs in a process of its own, into whose memory nobody sees

    @property
    def id(self) -> str:
        return f"{self.component}/{self.name}"

    @property
    def call(self) -> str:
        """What subjects list it by."""
        return f"{self.component}.{self.operation}"

    def setup(self, vocab: Sequence[str], folder: Path) -> Setup:
        """What its operation is built with."""
        return Setup(self.parameters(vocab), folder)

    def parameters(self, vocab: Sequence[str] = ()) -> Mapping[str, Value]:
        return {**self.config, **({"vocab": list(vocab)} if self.takes_vocab else {})}

    def sizes(self, inputs: Sequence[Value], right: Sequence[Value]) -> tuple[int, int | None]:
        """Bytes of UTF-8 and tokens of all inputs."""
        count = self.case.tokens
        return sum(map(size, inputs, right)), sum(map(count, inputs, right)) if count else None


def given(component: str, name: str) -> Mapping[str, Any]:
    """The parameters that the spec of a component declares of a workload, each of a type of its own."""
    return spec_of(component).bench[name].given


def spec_of(component: str) -> Spec:
    """The spec of a component."""
    from goldpiece.suite.loader import load_specs  # noqa: PLC0415 (processes that measure read no specs)

    return load_specs().named(component)


def declared(component: str, cases: Mapping[str, Case]) -> tuple[Workload, ...]:
    """The workloads that the spec of a component declares. Raises FileError where they are not these cases."""
    spec = spec_of(component)
    for name in cases.keys() ^ spec.bench.keys():
        if name in cases:
            remedy = "Declare it under `bench`, or take it out"
            raise FileError(spec.path, None, f"bench_{component}.py has a workload {name!r}, and the spec none", remedy)
        problem = f"bench_{component}.py has no workload {name!r}"
        raise FileError(spec.path, spec.bench[name].line, problem, "Write what its inputs are, or take it out")
    return tuple(
        Workload(
            component=component,
            name=name,
            operation=entry.operation,
            corpus=entry.corpus,
            case=cases[name],
            config={**entry.given, **cases[name].config},
            takes_vocab="vocab" in spec.parameters,
            data_vocab=entry.data_vocab,
            long=entry.long,
        )
        for name, entry in spec.bench.items()
    )


def size(given: Value, output: Value) -> int:
    """Bytes of UTF-8 of the text that an operation is about: what goes in, or what comes out where ids go in."""
    return _bytes(given) or _bytes(output)


def _bytes(value: Value) -> int:
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, Mapping):
        return sum(map(_bytes, value))
    if isinstance(value, Sequence):
        return sum(map(_bytes, value))
    return 0


def sentences(material: Material) -> Sequence[Value]:
    """Each sentence is an input."""
    return material.sentences


def document(material: Material) -> Sequence[Value]:
    """One long document is the only input."""
    return [material.document] if material.sentences else []


def words_put_out(_: Value, output: Value) -> int:
    """How many tokens a list has, or the first of several lists, which all have one length."""
    assert isinstance(output, Sequence)
    return len(output[0]) if output and isinstance(output[0], list) else len(output)


def words_put_in(given: Value, _: Value) -> int:
    """How many tokens or ids an input has."""
    assert isinstance(given, Sequence)
    return len(given)
