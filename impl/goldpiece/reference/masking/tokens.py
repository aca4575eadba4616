"""Masking of tokens as strings, under the names and with the arguments that tutorials use."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from goldpiece.errors import GoldpieceError
from goldpiece.reference.masking import SPECIAL_TOKENS, Masking
from goldpiece.reference.masking.errors import NoWordScheme
from goldpiece.reference.masking.words import CONTINUES, NOT_SELECTED, Scheme, words_of
from goldpiece.reference.tokenizer import Tokenizer


@runtime_checkable
class HasVocab(Protocol):
    """A tokenizer of Hugging Face: the id of each token."""

    def get_vocab(self) -> Mapping[str, int]: ...


Vocabulary: TypeAlias = Sequence[str] | Tokenizer | HasVocab


class NoVocabulary(GoldpieceError):
    """What was given as a tokenizer does not tell its tokens."""


class TokenMissing(GoldpieceError):
    """A token that the vocabulary lacks, and that so has no label."""

    def __init__(self, token: str, place: int) -> None:
        super().__init__(f"token {place}, {token!r}, is not in the vocabulary: give tokens that the tokenizer made")


def tokens_of(tokenizer: Vocabulary) -> list[str]:
    """The token of each id, of a list of them, a tokenizer of ours, or one with get_vocab(). Raises NoVocabulary."""
    if isinstance(tokenizer, Tokenizer):
        return list(tokenizer.all_tokens)
    if isinstance(tokenizer, HasVocab):
        ids = tokenizer.get_vocab()
        tokens = sorted(ids, key=lambda token: ids[token])
        if [ids[token] for token in tokens] != list(range(len(tokens))):
            raise NoVocabulary("the ids of get_vocab() are not 0, 1, 2, …: give a list with the token of each id")
        return tokens
    if isinstance(tokenizer, Sequence) and not isinstance(tokenizer, str):
        return list(tokenizer)
    raise NoVocabulary(f"{type(tokenizer).__name__} tells no vocabulary: give a tokenizer, or a list of tokens")


def special_tokens_of(tokenizer: Vocabulary) -> list[str]:
    """The tokens that are never masked: those that the tokenizer takes for special, else the five of BERT."""
    if isinstance(tokenizer, Tokenizer):
        return [token.content for token in tokenizer.added if token.special]
    if named := getattr(tokenizer, "all_special_tokens", None):  # of transformers
        return list(named)
    if added := getattr(tokenizer, "get_added_tokens_decoder", None):  # of tokenizers
        return [token.content for token in added().values() if token.special]
    return list(SPECIAL_TOKENS)


def identify_word_groups(
    tokens: Sequence[str], scheme: str | None = None, special_tokens: Sequence[str] = SPECIAL_TOKENS
) -> list[tuple[int, int]]:
    """Where each word begins and ends, half-open: `["un", "##do", "it"]` has the words (0, 2) and (2, 3).

    The scheme is `##`, `Ġ`, `▁` or `</w>`; without one, the mark that most tokens carry, and `##` where none does.
    Special tokens are in no word.
    """
    try:
        marks = Scheme.of(tokens) if scheme is None else Scheme(scheme)
    except NoWordScheme:
        marks = Scheme(CONTINUES)
    candidates = [token not in special_tokens for token in tokens]
    return [(word.start, word.stop) for word in words_of(candidates, marks.begin_words(tokens))]


def random_subword_masking(
    tokens: Sequence[str],
    tokenizer: Vocabulary,
    mask_prob: float = 0.15,
    mask_token: str = "[MASK]",
    *,
    mask_replace_prob: float = 0.8,
    random_replace_prob: float = 0.1,
    budget: str = "bernoulli",
    seed: int = 0,
    epoch: int = 0,
    index: int | None = None,
) -> tuple[list[str], list[int]]:
    """The tokens that a model sees, and its labels: the id where a token was selected, and -100 elsewhere.

    Each token is selected on its own, whatever word it is a piece of. The same seed, epoch and tokens (or index) give
    the same mask. Raises TokenMissing, and what `Masking` raises.
    """
    masking = _masking(
        tokenizer, "subword", budget, mask_prob, mask_token, mask_replace_prob, random_replace_prob, seed
    )
    return _masked(masking, tokens, epoch, index)


def whole_word_masking(
    tokens: Sequence[str],
    tokenizer: Vocabulary,
    mask_prob: float = 0.15,
    mask_token: str = "[MASK]",
    *,
    mask_replace_prob: float = 0.8,
    random_replace_prob: float = 0.1,
    budget: str = "bert",
    seed: int = 0,
    epoch: int = 0,
    index: int | None = None,
) -> tuple[list[str], list[int]]:
    """The same, with all tokens of a word selected or none. Words are told by the marks of the vocabulary."""
    masking = _masking(tokenizer, "word", budget, mask_prob, mask_token, mask_replace_prob, random_replace_prob, seed)
    return _masked(masking, tokens, epoch, index)


def _masking(  # noqa: PLR0917 (two callers that pass on all that they have)
    tokenizer: Vocabulary, unit: str, budget: str, rate: float, mask_token: str, mask: float, random: float, seed: int
) -> Masking:
    return Masking(
        tokens_of(tokenizer),
        special_tokens_of(tokenizer),
        mask_token,
        unit,
        budget,
        rate,
        mask_rate=mask,
        random_rate=random,
        seed=seed,
    )


def _masked(masking: Masking, tokens: Sequence[str], epoch: int, index: int | None) -> tuple[list[str], list[int]]:
    numbers = {token: number for number, token in enumerate(masking.vocab)}
    for place, token in enumerate(tokens):
        if token not in numbers:
            raise TokenMissing(token, place)
    ids = [numbers[token] for token in tokens]
    seen, labels = masking.mask([ids], indexes=None if index is None else [index], epoch=epoch)
    changed = zip(tokens, seen[0], labels[0], strict=True)
    return [token if label == NOT_SELECTED else masking.vocab[new] for token, new, label in changed], labels[0]
