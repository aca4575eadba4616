"""Tokenizers of words and of characters, ready made."""

from goldpiece.reference.word_tokenizer import WordTokenizer

TEXTS = ["Don't panic!", "So long, and thanks for all the fish.", "Ça va? Ça va.", "中文 текст ΑΣ"]

words_and_marks = WordTokenizer.of_texts(TEXTS)
characters = WordTokenizer.of_texts(TEXTS, unit="characters")
