"""Where two tokenizers part on a corpus, what these places have in common, and the smallest text that shows each."""
