"""A tokenizer.json with the components of BERT, for libraries that read one."""

import json
from collections.abc import Mapping, Sequence

SPECIAL_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
UNKNOWN, CLS, SEP = SPECIAL_TOKENS[1:4]


def tokenizer_json(
    vocab: Sequence[str],
    special_tokens: Sequence[str] = (),
    added_tokens: Sequence[tuple[str, bool]] = (),
    lowercase: bool | None = None,
    model: Mapping[str, object] | None = None,
) -> str:
    """What Hugging Face tokenizers would save: BERT's components, with a frame where there are tokens for one.

    `added_tokens` are tokens and whether they are sought in normalized text. Without `lowercase` there is no normalizer
    and no pre-tokenizer; `model` replaces what is said of the model.
    """
    ids = {token: number for number, token in enumerate(vocab)}
    added = [(token, False, True) for token in special_tokens if token in ids]
    added += [(token, normalized, False) for token, normalized in added_tokens]
    for token, *_ in added:
        ids.setdefault(token, len(ids))
    single, pair = [_special(CLS), _sequence("A", 0), _special(SEP)], [_sequence("B", 1), _special(SEP, 1)]
    frame = {
        "type": "TemplateProcessing",
        "single": single,
        "pair": single + pair,
        "special_tokens": {token: {"id": token, "ids": [ids[token]], "tokens": [token]} for token in _framing(ids)},
    }
    flags = {"single_word": False, "lstrip": False, "rstrip": False}
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None}
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [
                {"id": ids[token], "content": token, **flags, "normalized": normalized, "special": special}
                for token, normalized, special in sorted(added, key=lambda each: ids[each[0]])
            ],
            "normalizer": None if lowercase is None else normalizer | {"lowercase": lowercase},
            "pre_tokenizer": None if lowercase is None else {"type": "BertPreTokenizer"},
            "post_processor": frame if _framing(ids) else None,
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
            "model": {
                "type": "WordPiece",
                "unk_token": UNKNOWN,
                "continuing_subword_prefix": "##",
                "max_input_chars_per_word": 100,
                "vocab": {token: ids[token] for token in vocab},
            }
            | dict(model or {}),
        }
    )


def _framing(ids: Mapping[str, int]) -> list[str]:
    return [CLS, SEP] if {CLS, SEP} <= ids.keys() else []


def _special(token: str, type_id: int = 0) -> dict[str, object]:
    return {"SpecialToken": {"id": token, "type_id": type_id}}


def _sequence(name: str, type_id: int) -> dict[str, object]:
    return {"Sequence": {"id": name, "type_id": type_id}}
