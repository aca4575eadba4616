"""`python -m wordpiece encode --vocab FILE --text TEXT` and `python -m wordpiece decode --vocab FILE --ids 1 2 3`."""

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
        command.add_argument("--vocab", required=True, metavar="FILE", help="vocab.txt, one token a line")
    given = parser.parse_args()
    try:
        tokenizer = Tokenizer(read_vocab(given.vocab))
        made = tokenizer.encode(given.text, given.pair) if given.command == "encode" else tokenizer.decode(given.ids)
    except GoldpieceError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(json.dumps(made) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
