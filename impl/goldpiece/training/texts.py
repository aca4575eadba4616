"""Training on texts: cut into words as the tokenizer will cut them, counted, and learnt by the efficient trainers."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from goldpiece.fast.bpe_trainer import BPETrainer
from goldpiece.fast.training import Incremental
from goldpiece.fast.wordpiece_trainer import WordPieceTrainer
from goldpiece.reference.bpe_tokenizer import END_OF_TEXT
from goldpiece.reference.byte_level import ALPHABET
from goldpiece.reference.training import Trained
from goldpiece.reference.unicode import UnicodeProfile
from goldpiece.reference.wordpiece_trainer import SPECIAL_TOKENS
from goldpiece.training.cutting import BertCutting, ByteCutting, Cutting, WordCounter

AT_ONCE = 10_000  # texts


def train_wordpiece(
    texts: Iterable[str],
    size: int,
    *,
    lowercase: bool = True,
    profile: UnicodeProfile = "hf",
    special_tokens: Sequence[str] = SPECIAL_TOKENS,
    **options: object,
) -> Trained:
    """A WordPiece vocabulary of `size` entries for `Tokenizer(vocab=…tokens)`, learnt from texts.

    The texts are normalized and cut as that tokenizer does it; special tokens in them are not counted. `options` are
    the other parameters of WordPieceTrainer. Raises NoRoom, and what that raises.
    """
    trainer = WordPieceTrainer(size, special_tokens=special_tokens, **options)  # type: ignore[arg-type]
    return _learnt(texts, BertCutting(special_tokens, lowercase, profile), trainer)


def train_bpe(
    texts: Iterable[str],
    size: int,
    *,
    pattern: str = "gpt2",
    special_tokens: Sequence[str] = (END_OF_TEXT,),
    **options: object,
) -> Trained:
    """Entries and merges for `BPETokenizer(vocab=…tokens, merges=…merges)`, learnt from the bytes of texts.

    All 256 bytes are entries, so that nothing is unknown. `options` are the other parameters of BPETrainer. Raises
    NoRoom, UnknownPattern, LoneSurrogate, and what that raises.
    """
    options = {"initial_alphabet": list(ALPHABET), **options}
    trainer = BPETrainer(size, special_tokens=special_tokens, **options)  # type: ignore[arg-type]
    return _learnt(texts, ByteCutting(special_tokens, pattern), trainer)


def _learnt(texts: Iterable[str], cutting: Cutting, trainer: Incremental) -> Trained:
    """What the words of texts teach, in the order in which they are met."""
    return trainer.train_from_counts(*_counted(texts, cutting))


def _counted(texts: Iterable[str], cutting: Cutting) -> tuple[list[str], list[int]]:
    """The words and their counts. What counting has remembered is gone when they are learnt from."""
    counter, words = WordCounter(cutting), Counter[str]()
    left = iter(texts)
    while some := list(islice(left, AT_ONCE)):
        words.update(counter.count(some))
    return list(words), list(words.values())
