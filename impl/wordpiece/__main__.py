"""`python -m wordpiece` with `train FILES --out vocab.txt --size N`, `encode --vocab vocab.txt --text TEXT`, or
`decode --vocab vocab.txt --ids 1 2 3`.

`--tokenizer FILE` takes a tokenizer.json in the place of a vocab.txt.
"""

import argparse
import json
import sys

from goldpiece.errors import GoldpieceError
from wordpiece.tokenizer import Tokenizer
from wordpiece.trainer import train_vocab
from wordpiece.vocab import read_vocab


def main() -> int:
    """Prints one line of JSON. Exit code 2 where something cannot be used as given."""
    parser = argparse.ArgumentParser(prog="python -m wordpiece", description="WordPiece, from text to ids and back.")
    commands = parser.add_subparsers(dest="command", required=True)
    encode = commands.add_parser("encode", help="the ids of a text, as JSON")
    encode.add_argument("--text", required=True)
    encode.add_argument("--pair", help="a second text")
    train = commands.add_parser("train", help="learn a vocabulary from the lines of files")
    train.add_argument("files", metavar="FILES", nargs="+", help="text files, folders or patterns")
    train.add_argument("--out", required=True, metavar="FILE", help="the vocab.txt to write")
    train.add_argument("--size", required=True, type=int, help="how many entries, special tokens included")
    train.add_argument("--min-frequency", type=int, help="how often a pair has to occur to be merged")
    decode = commands.add_parser("decode", help="the words of ids, as JSON")
    decode.add_argument("--ids", required=True, nargs="+", type=int)
    for command in (encode, decode):
        source = command.add_mutually_exclusive_group(required=True)
        source.add_argument("--vocab", metavar="FILE", help="vocab.txt, one token a line")
        source.add_argument("--tokenizer", metavar="FILE", help="tokenizer.json, all of it in one file")
    given = parser.parse_args()
    try:
        made = _made(given)
    except GoldpieceError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(json.dumps(made) + "\n")
    return 0


def _made(given: argparse.Namespace) -> object:
    if given.command == "train":
        return train_vocab(given.files, given.out, given.size, given.min_frequency)
    tokenizer = Tokenizer.from_file(given.tokenizer) if given.tokenizer else Tokenizer(read_vocab(given.vocab))
    return tokenizer.encode(given.text, given.pair) if given.command == "encode" else tokenizer.decode(given.ids)


if __name__ == "__main__":
    sys.exit(main())
