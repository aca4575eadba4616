"""A WordPiece over the wire that misbehaves as its argument says: `exec:python misbehaves.py crashes`."""

import json
import os
import sys
import time
from typing import Any

MISBEHAVIOUR = sys.argv[1]
calls = 0
OFFERED: dict[str, dict[str, Any]] = {  # what the handshake says of wordpiece besides,
    "tells nothing": {"outputs": {"tokenize": []}},
    "tells too much": {"outputs": {"splits": ["pieces"]}},
    "lists no outputs": {"outputs": ["pieces"]},
}
TOLD = {"turns text round": {"round_trip": "backwards"}}  # and of the subject


def pieces(vocab: list[str], word: str) -> list[str]:
    found: list[str] = []
    start = 0
    while start < len(word):
        written = (("##" if start else "") + word[start:end] for end in range(len(word), start, -1))
        piece = next((each for each in written if each in vocab), None)
        if piece is None:
            return ["[UNK]"]
        start += len(piece) - (2 if start else 0)
        found.append(piece)
    return found


def tokenized(vocab: list[str], word: str, is_last_of_several: bool) -> dict[str, Any]:
    global calls  # noqa: PLW0603 (that it remembers is the fault)
    calls += 1
    if "e" in word or "ab" in word:
        match MISBEHAVIOUR:
            case "crashes":
                os.abort()
            case "exits":
                sys.stderr.write("no such luck\n")
                sys.exit(7)
            case "hangs":
                time.sleep(3600)
            case "floods":
                while True:
                    sys.stdout.write("x" * 10**6)
            case "devours":
                hoard = []
                while True:
                    hoard.append(b"x" * 10**7)
            case "babbles":
                sys.stdout.write("let me think\n")
            case "answers twice":
                sys.stdout.write('{"id": 0, "answers": []}\n')
    if (MISBEHAVIOUR == "errs at the end" and is_last_of_several) or (MISBEHAVIOUR == "tires" and calls > 1000):
        return {"pieces": ["wrong"]}
    return {"pieces": pieces(vocab, word)}


def main() -> None:
    vocabularies: dict[int, list[str]] = {}
    while line := sys.stdin.readline():
        question = json.loads(line)
        reply: dict[str, Any] = {"id": question["id"]}
        if "hello" in question:
            if MISBEHAVIOUR == "hangs at once":
                time.sleep(3600)
            operations = ["tokenise"] if MISBEHAVIOUR == "lies" else ["tokenize"]
            offer: dict[str, Any] = {"operations": operations, "parameters": {"vocab": None}}
            offer |= OFFERED.get(MISBEHAVIOUR, {})
            reply |= {"protocol": 1, "version": "0", "components": {"wordpiece": offer}}
            reply |= TOLD.get(MISBEHAVIOUR, {})
        elif "new" in question:
            vocabularies[question["id"]] = question["config"]["vocab"]
            reply["handle"] = question["id"]
        elif "free" in question and MISBEHAVIOUR == "crashes when freed":
            os.abort()
        elif "free" in question and MISBEHAVIOUR == "hangs when freed":
            time.sleep(3600)
        elif "call" in question:
            if MISBEHAVIOUR == "raises":
                reply["answers"] = [{"failed": "nothing works"}] * len(question["inputs"])
            else:
                vocab, inputs = vocabularies[question["call"]], question["inputs"]
                ends = [len(inputs) > 1 and place == len(inputs) - 1 for place in range(len(inputs))]
                answers = [tokenized(vocab, word, end) for (word,), end in zip(inputs, ends, strict=True)]
                reply["answers"] = [{"output": answer} for answer in answers]
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
        if MISBEHAVIOUR == "stops reading" and "new" in question:
            time.sleep(3600)


main()
