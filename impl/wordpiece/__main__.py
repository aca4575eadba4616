"""`python -m wordpiece encode --vocab FILE --text TEXT` and `python -m wordpiece decode --vocab FILE --ids 1 2 3`.

`--tokenizer FILE` takes a tokenizer.json in the place of a vocab.txt.
"""

import argparse
import json
import sys

from goldpiece.errors import GoldpieceError
from wordpiece.tokenizer import Tokenizer
from wordpiece.vocab import read_vocab


def main() -> int:
    """Prints one line of JSON. Exit code 2 where something cannot be used as given."""
    parser = argparse.ArgumentParser(prog="python -m wordpiece", description="WordPiece, from text to ids and back.")
    commands = parser.add_subparsers(dest="command", required=True)
    encode = commands.add_parser("encode", help="the ids of a text, as JSON")
    encode.add_argument("--text", required=True)
    encode.add_argument("--pair", help="a second text")
    decode = commands.add_parser("decode", help="the words of ids, as JSON")
    decode.add_argument("--ids", required=True, nargs="+", type=int)
    for command in (encode, decode):
        source = command.add_mutually_exclusive_group(required=True)
        source.add_argument("--vocab", metavar="FILE", help="vocab.txt, one token a line")
        source.add_argument("--tokenizer", metavar="FILE", help="tokenizer.json, all of it in one file")
    given = parser.parse_args()
    try:
        tokenizer = Tokenizer.from_file(given.tokenizer) if given.tokenizer else Tokenizer(read_vocab(given.vocab))
        made = tokenizer.encode(given.text, given.pair) if given.command == "encode" else tokenizer.decode(given.ids)
    except GoldpieceError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(json.dumps(made) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
