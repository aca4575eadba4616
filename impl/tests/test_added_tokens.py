"""What the laws do not reach of added tokens: that they can be made from tokens which say how they are found."""

from goldpiece.reference.added_tokens import AddedToken, AddedTokens


def test_a_token_is_on_the_lists_that_it_says() -> None:
    tokens = [
        AddedToken("<m>", lstrip=True, special=True),
        AddedToken("w", single_word=True),
        AddedToken("\n", rstrip=True),
    ]
    assert AddedTokens.of(tokens) == AddedTokens(["<m>", "w", "\n"], ["w"], ["<m>"], ["\n"], ["<m>"])
