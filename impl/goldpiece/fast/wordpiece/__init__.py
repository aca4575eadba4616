"""The WordPiece path from text to ids as compiled kernels. Read the modules in the order of the picture.

       "The naïve dog, [MASK] 東京"                               a str
                    │  strings     its characters, where CPython has them
                    ▼
       T h e   n a ï v e   d o g ,   [ M A S K ]   東 京 ▒        TEXT: UTF-8 and a space
                    │  scan        64 bytes at a time; utf8
                    ▼
       The │·   naïve │·   dog │,   ∅ │[MASK]   ∅ │東   ∅ │京      RECORDS: a word, and the token behind it
        │         │         │
        ▼         ▼         ▼  cache       by the raw bytes: neither lowercased nor decoded
     ┌──────┬───────────┬───────┬ ─ ─ ┐
     │ The  │   naïve   │  dog  │        TABLE: 32 bytes for a word, with its ids and where its pieces end
     │ 1996 │   15743   │ 3899  │
     └──────┴───────────┴───────┴ ─ ─ ┘
        │                   │  match       only for a word that the cache has not: characters (what each becomes when it
        │                   │              is normalized) and trie (the vocabulary as a double array)
        ▼                   ▼
     1996  15743  3899  1010  103  1879  1755                     emit: ids, or ids with offsets and word ids
                    │
                    ▼  kernels     whole texts, in their frame
       tables, worker, outputs: what kernels read, work with and write to      engine: batches, and parts for threads
       coverage: what is left to the reference                                 twin: one tokenizer

What makes it fast: nearly every word of a text has been met before, and is found by a hash, one comparison of 16 bytes
and one line of the machine's cache, which was fetched while the words behind it were still being sought. What makes it
right: the tables are made with the reference's own Unicode, code point by code point; what depends on more than one
code point is left to the reference; and the laws compare both on whatever text they can think of.

Nothing here is imported before it is needed: numba alone takes some tenths of a second.
"""
