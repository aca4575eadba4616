"""Where everything lies: the fields of the state that kernels share, and the shapes of what they keep in memory.

The state of one encoder is a row of numbers of eight bytes: addresses of tables that nothing changes, addresses of
buffers, and the counters of the word cache. Each thread at work has one of its own.
"""

from goldpiece.fast.wordpiece.compilation import part
from goldpiece.fast.wordpiece.memory import int_at, put_int

(
    # Tables, which all states of a tokenizer share.
    CLASSES,  # a byte for each code point: what it is to the splitting of text
    FORMS,  # eight bytes for each code point: what normalizing makes of it
    FORM_BYTES,  # UTF-8 of these forms
    ALONE_IDS,  # four bytes for each code point: the id and 1, if it is a word of its own
    ASCII,  # four bytes for each byte: see IS_SPACE
    KEYS,  # for each length of a word: what of it is its key
    TRIE,  # of the vocabulary
    CONTINUATION,  # the node from which pieces begin that continue a word
    UNKNOWN,  # the id of the unknown token
    MOST_CHARS,  # of a word that is cut into pieces
    ADDED,  # the trie of the added tokens that are sought in the text as given
    # Buffers.
    TEXT,  # one text in UTF-8, a space behind it, and as much room as is ever read beyond
    RECORDS,  # words of the text, a record each
    NORMAL,  # one word, normalized, in UTF-8
    SOURCES,  # four bytes for each byte of NORMAL: from which character of the word it came
    PIECES,  # those of one word
    STARTS,  # for each 64 bytes of TEXT: where code points begin, and how many began before
    # What is written: for each token four bytes, eight and four.
    IDS_OUT,
    OFFSETS_OUT,
    WORDS_OUT,
    # The word cache: a young generation, and an old one.
    TABLE,
    SHIFT,  # of a hash, so that the number of a slot is left
    COUNT,  # of entries
    ARENA,  # bytes of words that are longer than 16
    ARENA_USED,
    POOL,  # pieces that find no room in an entry
    POOL_USED,
    IS_FULL,  # whether something found no room
    OLD_TABLE,
    OLD_SHIFT,  # 64 if there is no old generation
    OLD_ARENA,
    OLD_POOL,
    LEAST_SHIFT,  # that of the largest table
    ARENA_SIZE,
    POOL_SIZE,
    MISSES,  # how often a word was in neither generation
    TURNS,  # how often the young one became the old one
    FIELDS,  # how many these are
) = range(38)

# ASCII: 0 for a byte of a word, and of a longer code point; IS_SPACE; else of a punctuation mark the id and 1, shifted,
# and whether an added token may begin with it.
IS_SPACE, MAY_BEGIN, TAIL_SHIFT = 1, 2, 2

# A text that is seen: where its characters are, how many, of which kind (see strings), which of its row it is, and how
# many bytes it and all before it have at most, all in eight bytes each.
PLACE, CHARS, KIND, SEQUENCE, END, SEEN = range(0, 48, 8)

# A record: a word, where its entry should be, and the token behind it, all in eight bytes each.
START, LENGTH, TAIL, TAIL_CHARS, KEY, KEY_END, SLOT, RECORD = range(0, 64, 8)
MOST_RECORDS = 256

# A piece: its id, its first character and the end behind its last, and the number of its word, all in four bytes.
PIECE_START, PIECE_END, PIECE_WORD, PIECE = 4, 8, 12, 16


@part
def field(state: int, number: int) -> int:
    """A field of the state."""
    return int_at(state + 8 * number)


@part
def set_field(state: int, number: int, value: int) -> None:
    """Changes a field of the state."""
    put_int(state + 8 * number, value)
