"""Makes the inputs and right outputs of workloads once, into files that all processes of a side read."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path

from goldpiece.errors import UsageError
from goldpiece.suite.benchmarks.measuring import Plan
from goldpiece.suite.corpus import read_corpus
from goldpiece.suite.data import DataMissing
from goldpiece.suite.loader import load_specs

from .measuring import inputs_and_outputs
from .subjects import IMPORT, MISSING, PACKAGES, SUBJECTS, builder
from .subjects.objects import is_address
from .vocabulary import vocabulary_of
from .workloads import EFFORTS, Effort, Material, Workload

FACTORS = (1, 2, 4)  # of the sizes between which growth is measured


def all_workloads() -> Iterator[Workload]:
    """Those of each component, and those of the whole package."""
    for spec in load_specs():
        if not spec.bench:
            continue
        yield from import_module(f"{__package__}.bench_{spec.name}").WORKLOADS
    yield from import_module(f"{__package__}.bench_package").WORKLOADS


@dataclass(frozen=True)
class Made:
    """A file, and what is in it."""

    path: Path
    digest: str
    inputs: int
    utf8_bytes: int
    tokens: int | None

    @property
    def size(self) -> int:
        """What growth is measured over."""
        return self.utf8_bytes or self.tokens or 0


@dataclass(frozen=True)
class Preparation:
    """Files in a folder, and what is known of them. Raises UsageError for a subject that there is not."""

    plan: Plan
    subjects: Sequence[str]
    vocab: Sequence[str]
    folder: Path

    def __post_init__(self) -> None:
        for name in self.subjects:
            if name not in SUBJECTS and not is_address(name):
                known = ", ".join(SUBJECTS)
                raise UsageError(
                    f"there is no subject {name!r} to measure; there are {known}, and module:attr of yours"
                )

    def entries(self) -> Iterator[Mapping[str, object]]:
        """For each workload on each subject what its figures are of, or the reason why there are none."""
        for workload in all_workloads():
            subjects = [name for name in self.subjects if builder(name, workload)]
            if subjects and self.plan.takes(workload.id):
                yield from of_subjects(subjects, self._prepared(workload))
        if self.plan.takes(IMPORT):
            for name, package in PACKAGES.items():
                known = {"workload": IMPORT, "package": package, "files": [], "digest": "", "inputs": 1}
                if name in self.subjects:
                    yield from of_subjects([name], {**known, "utf8_bytes": 0, "tokens": None})

    def _prepared(self, workload: Workload) -> Mapping[str, object]:
        """The files of a workload, of the usual size first, or the reason why there are none.

        Raises GoldpieceError where it has no inputs.
        """
        try:
            factors = FACTORS if workload.long and self.plan.growth else FACTORS[:1]
            made = [self._made(workload, factor) for factor in factors]
        except DataMissing as error:
            return {"workload": workload.id, "reason": f"not run: {error}"}
        first = made[0]
        grows = all(one.size < other.size for one, other in pairwise(made))
        return {
            "workload": workload.id,
            "files": [str(each.path) for each in (made if grows else made[:1])],
            "digest": first.digest,
            "inputs": first.inputs,
            "utf8_bytes": first.utf8_bytes,
            "tokens": first.tokens,
        }

    def _made(self, workload: Workload, factor: int) -> Made:
        effort = EFFORTS[self.plan.depth].times(factor)
        vocab = vocabulary_of(workload, self.vocab)
        material = _material(self.plan.corpus or workload.corpus, tuple(vocab), effort)
        inputs, right = inputs_and_outputs(workload, material)
        utf8_bytes, tokens = workload.sizes(inputs, right)
        content = json.dumps(
            {
                "workload": workload.id,
                "call": workload.call,
                "config": workload.parameters(vocab),
                "inputs": inputs,
                "right": right,
                "size": utf8_bytes or tokens or 0,
                "long": workload.long,
                "apart": workload.apart,
            }
        ).encode()
        path = self.folder / f"{workload.id.replace('/', '.')}.{factor}.json"
        path.write_bytes(content)
        return Made(path, hashlib.sha256(content).hexdigest()[:16], len(inputs), utf8_bytes, tokens)


def of_subjects(names: Sequence[str], known: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """What is known of a workload, for each subject that is there; of the others why nothing is."""
    for name in names:
        if name in MISSING:
            yield {"workload": known["workload"], "subject": name, "reason": MISSING[name]}
        else:
            yield {**known, "subject": name}


@cache
def _material(corpus: str, vocab: tuple[str, ...], effort: Effort) -> Material:
    return Material(read_corpus(corpus), vocab, effort)
