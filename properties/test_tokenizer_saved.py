"""The law of spec/tokenizer.yaml on what is saved and read again, for any implementation that can be."""

from goldpiece.suite.component import Component
from goldpiece.suite.law import expect, law

from .strategies.tokenizer import Case, kept
from .test_tokenizer import OWN, in_its_own_words


@law("tokenizer.saved", case=kept, own=lambda _: OWN)
def saved(tokenizer: Component, case: Case, own: list[int]) -> None:
    model = tokenizer(**case.config)
    case = in_its_own_words(model, case, own)
    before = model.answer("encode", case.text, None, False, True)
    after = model.answer("encode_saved", case.text)
    expect(dict(after), {name: before[name] for name in ("ids", "error") if name in before}, note="before it was saved")
