"""A door to Goldpiece for those who learn WordPiece: its parts under the names that tutorials give them.

There is no logic here; `goldpiece.Tokenizer` is what the rest of the field expects.
"""

from wordpiece.model import wordpiece_tokenize
from wordpiece.normalizer import normalize
from wordpiece.post_processor import post_process
from wordpiece.pre_tokenizer import pre_tokenize
from wordpiece.tokenizer import Tokenizer
from wordpiece.trainer import train_wordpiece

__all__ = ["Tokenizer", "normalize", "post_process", "pre_tokenize", "train_wordpiece", "wordpiece_tokenize"]
