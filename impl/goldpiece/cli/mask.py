"""`goldpiece mask`: what a model would see of a text and have to predict, to look at, as a page or as JSON."""

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from goldpiece import Encoding, Tokenizer
from goldpiece.cli.output import Column, console, print_columns
from goldpiece.cli.text import (
    CasedOption,
    FileOption,
    JsonOption,
    ProfileOption,
    Texts,
    TokenizerOption,
    VocabOption,
    given,
    tokenizer_of,
    word_style,
)
from goldpiece.errors import FileError
from goldpiece.reference.masking import NOT_SELECTED, Masking
from goldpiece.reference.masking.tokens import special_tokens_of
from goldpiece.reference.masking.words import Leak, begin_words_of_ids, leak, words_of
from goldpiece.suite.values import visible

STYLES = {"masked": "bold red", "random": "bold blue", "kept": "bold green"}
TITLES = {"subword": "random subwords", "word": "whole words"}


@dataclass(frozen=True)
class Shown:
    """One row that was masked, and what became of each token."""

    encoding: Encoding
    unit: str
    input_ids: list[int]
    labels: list[int]
    mask_id: int

    @property
    def fates(self) -> list[str]:
        """`masked`, `random` or `kept` for what is selected, else nothing."""
        rows = zip(self.encoding.ids, self.input_ids, self.labels, strict=True)
        return [self._fate(number, seen, label) for number, seen, label in rows]

    def _fate(self, number: int, seen: int, label: int) -> str:
        if label == NOT_SELECTED:
            return ""
        return "masked" if seen == self.mask_id else "kept" if seen == number else "random"

    @property
    def words(self) -> list[range]:
        word_ids = self.encoding.word_ids
        return words_of([word is not None for word in word_ids], begin_words_of_ids(word_ids))

    @property
    def leaks(self) -> list[bool]:
        """For each token whether it is selected in a word of which another is not."""
        found = [False] * len(self.labels)
        for word in self.words:
            torn = leak(self.labels, [(word.start, word.stop)]).leaking > 0
            for place in word:
                found[place] = torn and self.labels[place] != NOT_SELECTED
        return found

    @property
    def summary(self) -> str:
        """`7 of 23 tokens selected: 5 masked, 1 random, 1 kept; of 4 the word stays partly visible (57 %)`"""
        fates = self.fates
        counts = ", ".join(f"{fates.count(fate)} {fate}" for fate in STYLES)
        total: Leak = leak(self.labels, [(word.start, word.stop) for word in self.words])
        leaking = f"; of {total.leaking} the word stays partly visible ({total.share:.0%})" if total.selected else ""
        return f"{total.selected} of {len(fates)} tokens selected: {counts}{leaking}"


def mask(
    texts: Texts = None,
    *,
    tokenizer: TokenizerOption = None,
    vocab: VocabOption = None,
    whole_word: Annotated[bool, typer.Option("--whole-word", help="Select all tokens of a word, or none.")] = False,
    compare: Annotated[bool, typer.Option("--compare", help="Random subwords, and whole words below.")] = False,
    rate: Annotated[float, typer.Option(metavar="P", help="The share that is selected.")] = 0.15,
    budget: Annotated[
        str, typer.Option(metavar="NAME", help="How many are selected: bernoulli, fraction, bert or greedy.")
    ] = "bert",
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, another mask.")] = 0,
    epoch: Annotated[int, typer.Option(metavar="N", help="Another epoch, another mask.")] = 0,
    profile: ProfileOption = None,
    cased: CasedOption = False,
    file: FileOption = None,
    page: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a masked language model would see of texts: what is masked, random or kept, and the labels."""
    chosen = tokenizer_of(tokenizer, vocab, profile, cased)
    units = ["subword", "word"] if compare else ["word" if whole_word else "subword"]
    maskings = {
        unit: Masking(chosen.all_tokens, special_tokens_of(chosen), unit=unit, budget=budget, rate=rate, seed=seed)
        for unit in units
    }
    shown: list[Shown] = []
    for text in given(texts, file):
        encoding = chosen.encode(text)
        for unit, masking in maskings.items():
            seen, labels = masking.mask([encoding.ids], [encoding.word_ids], epoch=epoch)
            shown.append(Shown(encoding, unit, seen[0], labels[0], masking.replacement.mask_id))
            if as_json:
                typer.echo(json.dumps(_as_json(shown[-1], chosen)))
            else:
                _print(shown[-1], chosen, titled=compare)
    if page is not None:
        try:
            page.write_text(_page(shown, chosen), encoding="utf-8")
        except OSError as error:
            raise FileError(page, None, f"it cannot be written ({error.strerror})", "Give another path") from error


def _as_json(row: Shown, tokenizer: Tokenizer) -> dict[str, object]:
    return {
        "unit": row.unit,
        "tokens": row.encoding.tokens,
        "word_ids": row.encoding.word_ids,
        "seen": [tokenizer.id_to_token(number) for number in row.input_ids],
        "input_ids": row.input_ids,
        "labels": row.labels,
        "fates": row.fates,
        "leaks": row.leaks,
    }


def _print(row: Shown, tokenizer: Tokenizer, titled: bool) -> None:
    if titled:
        console.print(TITLES[row.unit], style="bold")
    columns = []
    rows = zip(row.encoding.tokens, row.encoding.word_ids, row.input_ids, row.labels, row.fates, row.leaks, strict=True)
    for token, word, seen, label, fate, leaks in rows:
        new = visible(tokenizer.id_to_token(seen)) if fate else ""
        cells = (visible(token), new, fate, "leaks" if leaks else "", str(label) if fate else "")
        style = STYLES.get(fate, "")
        columns.append(Column(cells, (word_style(word), style, style, "yellow", "dim")))
    print_columns(columns)
    console.print(Text(row.summary), soft_wrap=True)
    console.print()


PAGE = """<!doctype html>
<meta charset="utf-8">
<title>Masks</title>
<style>
body {{ font: 16px/1.5 sans-serif; margin: 2em }}
.row {{ margin: 0 0 .5em }}
.token {{ display: inline-block; margin: .1em; padding: .1em .4em; border-radius: .3em; background: #eee }}
.token small {{ display: block; min-height: 1.4em }}
.even {{ background: #e3eef8 }} .none {{ background: #fff; color: #888 }}
.masked {{ background: #f4b9b4 }} .random {{ background: #b4c9f4 }} .kept {{ background: #bfe6bd }}
.leaks {{ outline: 3px solid #d90 }}
</style>
{rows}
"""


def _page(shown: Sequence[Shown], tokenizer: Tokenizer) -> str:
    return PAGE.format(rows="\n".join(_section(row, tokenizer) for row in shown))


def _section(row: Shown, tokenizer: Tokenizer) -> str:
    tokens = []
    rows = zip(row.encoding.tokens, row.encoding.word_ids, row.input_ids, row.labels, row.fates, row.leaks, strict=True)
    for token, word, seen, label, fate, leaks in rows:
        kind = fate or ("none" if word is None else "even" if word % 2 == 0 else "odd")
        new = tokenizer.id_to_token(seen)
        below = f"{html.escape(visible(token))}, {label}" if fate else ""
        css = f"token {kind}{' leaks' if leaks else ''}"
        tokens.append(f'<span class="{css}">{html.escape(visible(new))}<small>{below}</small></span>')
    text = html.escape(visible(row.encoding.text))
    lines = [f"<h2>{TITLES[row.unit]}: {text}</h2>", f'<div class="row">{"".join(tokens)}</div>']
    return "\n".join([*lines, f"<p>{html.escape(row.summary)}</p>"])
