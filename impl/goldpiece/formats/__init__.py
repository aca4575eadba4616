"""File formats: what vocabularies and tokenizers are read from and written to. Loading a file never executes code."""
