"""What spec/persistence.yaml defines of tokenizer.json: a plain reading of its JSON, and what its parts do."""

import re
from typing import Any

from goldpiece.suite.values import Value

from ..strategies.tokenizer_json import FLAGS, SWITCHES, File, Run, frame_of
from ..strategies.wordpiece import Case
from . import normalizer, pre_tokenizer
from .decoder import cleaned, joined
from .wordpiece import longest_pieces


def described(file: File) -> dict[str, Value]:
    """What a file says, by name."""
    model, added = file["model"], sorted(file["added_tokens"], key=lambda token: int(token["id"]))
    frame = frame_of(file)
    return {
        "vocab": sorted(model["vocab"], key=model["vocab"].get),
        "added_tokens": [token["content"] for token in added],
        "added_ids": [token["id"] for token in added],
        **{flag: [token["content"] for token in added if token[flag]] for flag in FLAGS},
        "unk_token": model["unk_token"],
        "prefix": model["continuing_subword_prefix"],
        "max_input_chars": model["max_input_chars_per_word"],
        **_switches(file),
        "cls_token": frame["cls"][0],
        "sep_token": frame["sep"][0],
        "cleanup": file["decoder"]["cleanup"],
    }


def ran(run: Run) -> dict[str, Value]:
    """What the tokenizer of a file makes of a text, where added tokens are sought as they stand and without flags."""
    file, text = run.file, run.text
    frame = frame_of(file)
    contents = sorted((token["content"] for token in file["added_tokens"]), key=len, reverse=True)
    tokens, offsets = [frame["cls"][0]], [[0, 0]]
    place = 0
    for part in re.split(f"({'|'.join(map(re.escape, contents))})", text) if contents else [text]:
        if part in contents:
            found = [(part, [place, place + len(part)])]
        else:
            found = [(token, [place + start, place + end]) for token, (start, end) in _pieces(file, part)]
        tokens += [token for token, _ in found]
        offsets += [span for _, span in found]
        place += len(part)
    tokens, offsets = [*tokens, frame["sep"][0]], [*offsets, [0, 0]]
    ids = file["model"]["vocab"] | {token["content"]: token["id"] for token in file["added_tokens"]}
    special = {token["content"] for token in file["added_tokens"] if token["special"]}
    return {
        "ids": [ids[token] for token in tokens],
        "tokens": tokens,
        "offsets": offsets,
        "decoded": text_of(file, [token for token in tokens if token not in special]),
        "whole": text_of(file, tokens),
    }


def text_of(file: File, tokens: list[str]) -> str:
    """What the decoder of a file makes of tokens."""
    decode = cleaned if file["decoder"]["cleanup"] else joined
    return decode(tokens, file["decoder"]["prefix"])


def _switches(file: File) -> dict[str, Any]:
    off = dict.fromkeys(SWITCHES, False)
    return {name: (file["normalizer"] or off)[name] for name in SWITCHES}


def _pieces(file: File, text: str) -> list[tuple[str, tuple[int, int]]]:
    """The pieces of a text without added tokens, and where each stands in it."""
    model, switches = file["model"], _switches(file)
    parameters = {"prefix": model["continuing_subword_prefix"], "unk_token": model["unk_token"]}
    known = normalizer.definition_of("hf")
    normalized, sources = known.normalize(text, **switches), known.sources(text, **switches)
    found = []
    for start, end in pre_tokenizer.definition_of("hf").spans(normalized):
        word, places = normalized[start:end], sources[start:end]
        case = Case(list(model["vocab"]), word, parameters)
        pieces = longest_pieces(case) if len(word) <= model["max_input_chars_per_word"] else [case.unk_token]
        done = 0
        for piece in pieces:
            length = len(word) if len(pieces) == 1 else len(piece.removeprefix(case.prefix) if done else piece)
            found.append((piece, (places[done], places[done + length - 1] + 1)))
            done += length
    return found
