"""A Goldpiece subject in Python: `goldpiece check exec:"python subject.py"`.

It answers each line of JSON on standard input with one on standard output (spec/PROTOCOL.md says what they mean). Put
your implementation in the place of WordPiece, and add further components beside it.
"""

import json
import sys
from typing import Any, ClassVar


class Named(Exception):
    """An error that the spec names: it is a right answer where the spec says so, and no failure."""


class WordPiece:
    operations: ClassVar = ["tokenize"]
    # For each parameter that it takes the values that it takes: None for any. One that is missing has its default only.
    parameters: ClassVar = {"vocab": None, "unk_token": None, "prefix": None, "max_input_chars": None}

    def __init__(self, vocab: list[str], unk_token: str = "[UNK]", prefix: str = "##", max_input_chars: int = 100):
        self.vocab, self.unk_token, self.prefix, self.max_input_chars = set(vocab), unk_token, prefix, max_input_chars

    def tokenize(self, word: str) -> dict[str, Any]:
        if len(word) > self.max_input_chars:
            return self.unknown()
        pieces: list[str] = []
        start = 0
        while start < len(word):
            written = ((self.prefix if start else "") + word[start:end] for end in range(len(word), start, -1))
            piece = next((each for each in written if each in self.vocab), None)
            if piece is None:
                return self.unknown()
            pieces.append(piece)
            start += len(piece) - (len(self.prefix) if start else 0)
        return {"pieces": pieces}

    def unknown(self) -> dict[str, Any]:
        if self.unk_token not in self.vocab:
            raise Named("unknown-token-missing")
        return {"pieces": [self.unk_token]}


COMPONENTS = {"wordpiece": WordPiece}
instances: dict[int, Any] = {}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    if "hello" in question:
        offers = {
            name: {"operations": each.operations, "parameters": each.parameters} for name, each in COMPONENTS.items()
        }
        return {"protocol": 1, "name": "my-tokenizer", "version": "0.1.0", "components": offers}
    if "new" in question:
        instances[question["id"]] = COMPONENTS[question["new"]](**question["config"])
        return {"handle": question["id"]}
    if "free" in question:
        del instances[question["free"]]
        return {}
    instance = instances[question["call"]]
    return {"answers": [one(instance, question["operation"], inputs) for inputs in question["inputs"]]}


def one(instance: Any, operation: str, inputs: list[Any]) -> dict[str, Any]:
    try:
        return {"output": getattr(instance, operation)(*inputs)}
    except Named as error:
        return {"error": str(error)}
    except Exception as error:
        return {"failed": repr(error)}


for line in sys.stdin:
    question = json.loads(line)
    try:
        reply = answer(question)
    except Exception as error:
        reply = {"failed": repr(error)}
    sys.stdout.write(json.dumps({"id": question["id"], **reply}) + "\n")
    sys.stdout.flush()
