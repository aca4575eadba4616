"""tokenizer.json with one fault: a part that is not supported, missing, of another type, or at odds with another."""

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from goldpiece.suite.scope import Scope

from .tokenizer_json import (
    File,
    Pair,
    Path,
    added,
    files,
    frame_of,
    replaced,
    sequence,
    special,
    template,
    values,
    with_templates,
    without,
    written,
)

OTHER_TYPES: dict[str, dict[str, Any]] = {
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "Whitespace"},
    "post_processor": {
        "type": "RobertaProcessing",
        "sep": ["b", 1],
        "cls": ["a", 0],
        "trim_offsets": True,
        "add_prefix_space": True,
    },
    "decoder": {"type": "BPEDecoder", "suffix": "</w>"},
    "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"},
}
STAGES: dict[str, dict[str, Any]] = {
    "truncation": {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0},
    "padding": {
        "strategy": {"Fixed": 9},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "a",
    },
}


@st.composite
def with_unsupported_parts(draw: st.DrawFn, scope: Scope) -> list[str]:
    """A file, each time with another part that is none of BERT's."""
    file = draw(files(scope))
    part = draw(st.sampled_from(sorted(OTHER_TYPES)))
    stage = draw(st.sampled_from(sorted(STAGES)))
    changed = [
        file | {stage: STAGES[stage]},
        file | {part: OTHER_TYPES[part]},
        file | {draw(st.sampled_from(["pre_tokenizer", "post_processor", "decoder", "model"])): None},
        _unknown_key(draw, file),
        file | {"post_processor": _other_template(draw, file)},
        file | {"version": draw(st.sampled_from(["2.0", "1", ""]))},
        file | {"decoder": file["decoder"] | {"prefix": file["decoder"]["prefix"] + "_"}},
        _with_added(file, added(_next_id(file), "", [])),
    ]
    return list(map(written, changed))


@st.composite
def with_missing_keys(draw: st.DrawFn, scope: Scope) -> list[str]:
    """A file, each time without another key."""
    file = draw(st.one_of(files(scope), with_templates(scope)))
    free = [("model", "vocab"), ("post_processor", "single"), ("post_processor", "pair")]  # whose keys are their own
    kinds: dict[str, list[Path]] = {}
    for path, value in values(file):
        if isinstance(value, dict) and not any(path[: len(each)] == each for each in free):
            kinds.setdefault(str(path[:1]), []).extend((*path, key) for key in value)
    kinds[str(("model",))].remove(("model", "type"))
    return [written(without(file, draw(st.sampled_from(paths)))) for paths in kinds.values()]


@st.composite
def with_duplicate_keys(draw: st.DrawFn, scope: Scope) -> str:
    """A file in which some object has a key twice, with the same value or another."""
    file = draw(st.one_of(files(scope), with_templates(scope)))
    path, value = draw(st.sampled_from([each for each in values(file) if isinstance(each[1], dict) and each[1]]))
    pairs = [Pair(key, value[key]) for key in value]
    again = draw(st.sampled_from(pairs))
    other = Pair(again.key, draw(st.sampled_from([again.value, None, 0, "a"])))
    place = draw(st.integers(0, len(pairs)))
    return written(replaced(file, path, [*pairs[:place], other, *pairs[place:]]))


@st.composite
def with_wrong_types(draw: st.DrawFn, scope: Scope) -> list[str]:
    """A file, each time with another value of another type."""
    file = draw(st.one_of(files(scope), with_templates(scope)))
    parts: dict[str, list[tuple[Path, Any]]] = {}
    for path, value in values(file):
        if value is not None and path[:1] not in [("truncation",), ("padding",)]:
            parts.setdefault(str(path[:1]), []).append((path, value))
    chosen = [draw(st.sampled_from(found)) for found in parts.values()]
    return [written(replaced(file, path, draw(st.sampled_from(_of_another_type(value))))) for path, value in chosen]


@st.composite
def with_contradictions(draw: st.DrawFn, scope: Scope) -> list[str]:
    """A file, each time with other ids that do not agree."""
    file = draw(st.one_of(files(scope), with_templates(scope)))
    vocab: dict[str, int] = file["model"]["vocab"]
    token = draw(st.sampled_from(sorted({*vocab} - {""})))
    content = draw(st.sampled_from(["new", token]))
    changed = [
        replaced(file, ("model", "vocab", token), len(vocab) + draw(st.integers(0, 2))),
        replaced(file, ("model", "vocab", token), (vocab[token] + 1) % len(vocab) if len(vocab) > 1 else 1),
        _with_added(file, added(_next_id(file) + 1, "new token", [])),
        _with_added(file, added(vocab[token], "new token", [])),
        _with_added(file, added(_next_id(file), token, [])),
        _with_added(
            file,
            *(added(vocab.get(content, _next_id(file)), content, flags) for flags in (["lstrip"], [])),
        ),
        file | {"post_processor": _with_other_id(draw, file)},
    ]
    return list(map(written, changed))


@st.composite
def no_json(draw: st.DrawFn, scope: Scope) -> list[str]:
    """A file, each time with another fault of its JSON."""
    file = draw(files(scope))
    content = written(file)
    cut = draw(st.integers(0, len(content) - 1))
    comma = draw(st.sampled_from([place for place, char in enumerate(content) if content.startswith(', "', place)]))
    number = written(replaced(file, ("model", "max_input_chars_per_word"), "@"))
    text = written(replaced(file, ("model", "unk_token"), "@"))
    return [
        content[:cut],
        content + draw(st.sampled_from([",", "}", "x", "{}", "\x00", "\u00a0"])),
        content[:comma] + draw(st.sampled_from([",", ", //\n", " /**/", "\u00a0"])) + content[comma:],
        "\ufeff" + content,
        number.replace('"@"', draw(st.sampled_from(["NaN", "Infinity", "01"]))),
        text.replace('"@"', draw(st.sampled_from(['"\\ud800"', '"\\udc00a"', '"\n"', "'a'"]))),
        content.replace('"truncation": null', '"truncation": ' + draw(st.sampled_from(["[", '{"a":'])) * 100_000),
    ]


def _with_added(file: File, *tokens: dict[str, Any]) -> File:
    return file | {"added_tokens": [*file["added_tokens"], *tokens]}


def _next_id(file: File) -> int:
    return len({*file["model"]["vocab"], *(each["content"] for each in file["added_tokens"])})


def _other_template(draw: st.DrawFn, file: File) -> dict[str, Any]:
    form = template(file, "same")
    name = next(iter(form["special_tokens"]))
    single, pair = form["single"], form["pair"]
    others: list[dict[str, Any]] = [
        {"single": single[:-1]},
        {"single": [*single, single[-1]]},
        {"single": [single[0], sequence("A", 1), single[-1]]},
        {"single": [single[0], sequence("B", 0), single[-1]]},
        {"single": [special(name, 1), *single[1:]]},
        {"pair": [*pair[:3], sequence("B", 0), pair[-1]]},
        {"pair": [*pair[:3], sequence("B", 1), single[-1]]},
        {"pair": [*pair[:2], pair[2], pair[2], *pair[3:]]},
        {"pair": [pair[0], sequence("B", 0), pair[2], sequence("A", 1), pair[-1]]},
        {"pair": pair[:3]},
        {"special_tokens": form["special_tokens"] | {"more": {"id": "more", "ids": [0], "tokens": ["a"]}}},
        {"special_tokens": form["special_tokens"] | {name: {"id": name, "ids": [0, 0], "tokens": ["a", "a"]}}},
    ]
    return {**form, **draw(st.sampled_from(others))}


def _with_other_id(draw: st.DrawFn, file: File) -> File:
    """The post-processor with another id or name for a token of the frame."""
    frame = frame_of(file)
    other = frame["cls"][1] + 1
    form = deepcopy(template(file, "same"))
    name = form["single"][0]["SpecialToken"]["id"]
    bert = {"type": "BertProcessing", "sep": frame["sep"], "cls": [frame["cls"][0], other]}
    unknown = {"type": "BertProcessing", "sep": ["nowhere", frame["sep"][1]], "cls": frame["cls"]}
    form["special_tokens"][name] |= draw(st.sampled_from([{"ids": [other]}, {"id": f"{name}_"}]))
    return draw(st.sampled_from([bert, unknown, form]))


def _unknown_key(draw: st.DrawFn, file: File) -> File:
    """One more key, at any level where keys are fixed."""
    kinds: dict[str, list[Path]] = {}
    for path, value in values(file):
        if isinstance(value, dict) and path != ("model", "vocab"):
            kinds.setdefault(str(path[:1]), []).append(path)
    path = draw(st.sampled_from(kinds[draw(st.sampled_from(sorted(kinds)))]))
    key, value = draw(st.sampled_from(["dropout", "Type", ""])), draw(st.sampled_from([None, False, 0.1, {}]))
    changed: File = replaced(file, (*path, key), value)
    return changed


def _of_another_type(value: object) -> list[object]:
    match value:
        case bool():
            return [0, 1, "true", [], "null"]
        case int():
            return [value + 0.0, value + 0.5, -1, str(value), True, None, 2**64]
        case str():
            return [0, True, [value], {value: value}]
        case list():
            return ["", 0, {}, None]
    return [[], "", 1, [value]]
