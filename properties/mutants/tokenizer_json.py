"""Mutants of persistence, in what it makes of tokenizer.json."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

from goldpiece.formats.strict_json import MissingKey
from goldpiece.formats.tokenizer_json import FLAGS, SWITCHES
from goldpiece.reference.added_tokens import AddedToken
from goldpiece.reference.persistence import Persistence
from goldpiece.reference.tokenizer import Tokenizer
from goldpiece.suite.mutants import mutant

File: TypeAlias = dict[str, Any]
Ran: TypeAlias = tuple[list[int], list[str], list[tuple[int, int]], str, str]


class _ChangesText(Persistence):
    """Reads another text than it is given."""

    def change_text(self, content: str) -> str:
        raise NotImplementedError

    def read_tokenizer(self, content: str) -> Mapping[str, object]:
        return super().read_tokenizer(self.change_text(content))


class _ChangesFile(_ChangesText):
    """Reads another file than it is given, unless something that it wants to change is not there."""

    def change(self, file: File) -> None:
        raise NotImplementedError

    def change_text(self, content: str) -> str:
        try:
            file = json.loads(content)
            self.change(file)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return content
        return json.dumps(file)


class _ChangesReading(Persistence):
    """Tells other things than it has read."""

    def change(self, read: File, file: File) -> None:
        raise NotImplementedError

    def read_tokenizer(self, content: str) -> Mapping[str, object]:
        read = dict(super().read_tokenizer(content))
        self.change(read, json.loads(content))
        return read


@mutant(breaks="persistence.tokenizer-parts", story="drops a flag of added tokens")
class DropsAFlag(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        read["single_word"] = []


@mutant(breaks="persistence.tokenizer-parts", story="takes strip_accents of null for false")
class NullIsFalse(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        read["strip_accents"] = bool(read["strip_accents"])


@mutant(breaks="persistence.tokenizer-parts", story="cleans up whatever the file says")
class AlwaysCleans(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        read["cleanup"] = True


@mutant(breaks="persistence.tokenizer-parts", story='takes "##" for every prefix')
class OnePrefix(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        read["prefix"] = "##"


@mutant(breaks="persistence.tokenizer-parts", story="has its own limit to the length of words")
class OneLimit(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        read["max_input_chars"] = 100


@mutant(breaks="persistence.tokenizer-parts", story="sorts the vocabulary by token")
class SortsTheVocabulary(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        read["vocab"] = sorted(read["vocab"])


@mutant(breaks="persistence.tokenizer-parts", story="numbers the tokens by their place in the file")
class NumbersByPlace(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        read["vocab"] = list(file["model"]["vocab"])


@mutant(breaks="persistence.tokenizer-without-normalizer", story="takes null for the defaults of BERT")
class NullIsBert(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        if file["normalizer"] is None:
            read |= {"clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True}


@mutant(breaks="persistence.tokenizer-templates", story="takes what a template calls a token for the token")
class TakesTheNames(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        if single := file["post_processor"].get("single"):
            read |= {"cls_token": single[0]["SpecialToken"]["id"], "sep_token": single[2]["SpecialToken"]["id"]}


@mutant(breaks="persistence.tokenizer-templates", story="frames with [CLS] and [SEP] wherever there is a template")
class TemplatesAreBrackets(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        if "single" in file["post_processor"]:
            read |= {"cls_token": "[CLS]", "sep_token": "[SEP]"}


@mutant(breaks="persistence.tokenizer-implied-model", story="wants the type of the model")
class WantsTheType(_ChangesReading):
    def change(self, read: File, file: File) -> None:
        if "type" not in file["model"]:
            raise MissingKey("tokenizer.json", None, "model.type is missing", "Add it")


@mutant(breaks="persistence.tokenizer-unsupported", story="ignores truncation and padding")
class IgnoresStages(_ChangesFile):
    def change(self, file: File) -> None:
        file |= {"truncation": None, "padding": None}


@mutant(breaks="persistence.tokenizer-unsupported", story="leaves out the keys that it does not know")
class IgnoresUnknownKeys(_ChangesFile):
    def change(self, file: File) -> None:
        for unknown in ("dropout", "Type", ""):
            for part in (file, *file.values(), *file["added_tokens"]):
                if isinstance(part, dict):
                    part.pop(unknown, None)


@mutant(breaks="persistence.tokenizer-unsupported", story="takes the first and the last token of any template")
class AnyTemplate(_ChangesFile):
    def change(self, file: File) -> None:
        post = file["post_processor"]
        ends = [post["special_tokens"][post["single"][end]["SpecialToken"]["id"]] for end in (0, -1)]
        cls, sep = ([end["tokens"][0], file["model"]["vocab"].get(end["tokens"][0])] for end in ends)
        file["post_processor"] = {"type": "BertProcessing", "sep": sep, "cls": cls}


@mutant(breaks="persistence.tokenizer-unsupported", story="decodes with the prefix of the model")
class OnePrefixForBoth(_ChangesFile):
    def change(self, file: File) -> None:
        file["decoder"]["prefix"] = file["model"]["continuing_subword_prefix"]


@mutant(breaks="persistence.tokenizer-unsupported", story="takes any version for one that it knows")
class AnyVersion(_ChangesFile):
    def change(self, file: File) -> None:
        file["version"] = "1.0"


@mutant(breaks="persistence.tokenizer-unsupported", story="leaves empty added tokens out")
class LeavesEmptyTokensOut(_ChangesFile):
    def change(self, file: File) -> None:
        file["added_tokens"] = [token for token in file["added_tokens"] if token["content"]]


@mutant(breaks="persistence.tokenizer-missing-keys", story="takes a missing flag for false")
class FillsInFlags(_ChangesFile):
    def change(self, file: File) -> None:
        for token in file["added_tokens"]:
            token |= {flag: token.get(flag, False) for flag in FLAGS}


@mutant(breaks="persistence.tokenizer-missing-keys", story="takes a missing stage for none")
class FillsInStages(_ChangesFile):
    def change(self, file: File) -> None:
        file.setdefault("added_tokens", [])
        for stage in ("truncation", "padding", "normalizer"):
            file.setdefault(stage, None)


@mutant(breaks="persistence.tokenizer-duplicate-keys", story="lets the last of equal keys win")
class LastKeyWins(_ChangesText):
    def change_text(self, content: str) -> str:
        return json.dumps(json.loads(content))


@mutant(breaks="persistence.tokenizer-duplicate-keys", story="minds equal keys only where their values differ")
class MindsValues(_ChangesText):
    def change_text(self, content: str) -> str:
        differing: list[object] = []

        def hook(pairs: list[tuple[str, Any]]) -> File:
            differing.extend(pair for pair in pairs if pair[1] != dict(pairs)[pair[0]])
            return dict(pairs)

        file = json.loads(content, object_pairs_hook=hook)
        return content if differing else json.dumps(file)


@mutant(breaks="persistence.tokenizer-wrong-types", story="takes 0 and 1 for false and true")
class NumbersAreSwitches(_ChangesFile):
    def change(self, file: File) -> None:
        for part in (file["normalizer"], file["decoder"], *file["added_tokens"]):
            for name in part or ():
                if name in (*SWITCHES, *FLAGS, "cleanup") and part[name] in (0, 1):
                    part[name] = bool(part[name])


@mutant(breaks="persistence.tokenizer-wrong-types", story="drops the fraction of an integer")
class DropsFractions(_ChangesText):
    def change_text(self, content: str) -> str:
        return json.dumps(json.loads(content, parse_float=lambda number: int(float(number))))


@mutant(breaks="persistence.tokenizer-contradictions", story="gives added tokens the ids that it would give them")
class NumbersAddedTokens(_ChangesFile):
    def change(self, file: File) -> None:
        ids = dict(file["model"]["vocab"])
        for token in file["added_tokens"]:
            token["id"] = ids.setdefault(token["content"], len(ids))


@mutant(breaks="persistence.tokenizer-contradictions", story="closes the holes between ids")
class ClosesHoles(_ChangesFile):
    def change(self, file: File) -> None:
        vocab = file["model"]["vocab"]
        file["model"]["vocab"] = {token: number for number, token in enumerate(sorted(vocab, key=vocab.get))}


@mutant(breaks="persistence.tokenizer-contradictions", story="does not look at the ids of the frame")
class FrameOfTokens(_ChangesFile):
    def change(self, file: File) -> None:
        ids = file["model"]["vocab"] | {token["content"]: token["id"] for token in file["added_tokens"]}
        post = file["post_processor"]
        for end in ("cls", "sep") if "cls" in post else ():
            post[end][1] = ids[post[end][0]]
        for each in post.get("special_tokens", {}).values():
            each["ids"] = [ids[each["tokens"][0]]]


@mutant(breaks="persistence.tokenizer-contradictions", story="lets the last of two equal added tokens win")
class LastTokenWins(_ChangesFile):
    def change(self, file: File) -> None:
        file["added_tokens"] = list({token["content"]: token for token in file["added_tokens"]}.values())


@mutant(breaks="persistence.tokenizer-not-json", story="takes NaN and Infinity for numbers")
class TakesConstants(_ChangesText):
    def change_text(self, content: str) -> str:
        return re.sub("-?(NaN|Infinity)", "0", content)


@mutant(breaks="persistence.tokenizer-not-json", story="puts U+FFFD in the place of half a character")
class ReplacesHalves(_ChangesText):
    def change_text(self, content: str) -> str:
        return re.sub(r"\\ud[89a-f]..", r"\\ufffd", content)


@mutant(breaks="persistence.tokenizer-not-json", story="skips a byte order mark")
class SkipsTheMark(_ChangesText):
    def change_text(self, content: str) -> str:
        return content.removeprefix("\ufeff")


@mutant(breaks="persistence.tokenizer-not-json", story="stops reading where the object ends")
class StopsAtTheEnd(_ChangesText):
    def change_text(self, content: str) -> str:
        return content[: content.rfind("}}") + 2] if content.count("{") <= content.count("}") else content


@mutant(breaks="persistence.tokenizer-not-json", story="dies of parts within parts")
class DiesOfDepth(_ChangesText):
    def change_text(self, content: str) -> str:
        with suppress(ValueError):
            json.loads(content)
        return content


class _Saves(Persistence):
    """Saves another tokenizer than it has read."""

    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        raise NotImplementedError

    def rewrite_tokenizer(self, content: str) -> str:
        whole = self

        class Saving(Persistence):
            def _tokenizer(self, content: str) -> Tokenizer:
                return whole.change(super()._tokenizer(content))

        return Saving().rewrite_tokenizer(content)


@mutant(breaks="persistence.tokenizer-saved", story='writes "##" for every prefix')
class SavesOnePrefix(_Saves):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, prefix="##")


@mutant(breaks="persistence.tokenizer-saved", story="does not save cleanup")
class SavesNoCleanup(_Saves):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, cleanup=False)


@mutant(breaks="persistence.tokenizer-saved", story="saves added tokens without a flag")
class SavesNoFlag(_Saves):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, added_tokens=[replace(token, normalized=True) for token in tokenizer.added])


@mutant(breaks="persistence.tokenizer-saved", story="saves strip_accents as what it comes to")
class SavesWhatItComesTo(_Saves):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        accents = tokenizer.strip_accents
        return replace(tokenizer, strip_accents=tokenizer.lowercase if accents is None else accents)


@mutant(breaks="persistence.tokenizer-runs-the-same", story="saves added tokens without white space and words")
class SavesBareTokens(_Saves):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        bare = [AddedToken(token.content, special=token.special) for token in tokenizer.added]
        return replace(tokenizer, added_tokens=bare)


@mutant(breaks="persistence.tokenizer-runs-the-same", story="saves strip_accents of null as false")
class SavesNullAsFalse(_Saves):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, strip_accents=bool(tokenizer.strip_accents))


class _Runs(Persistence):
    """Runs another tokenizer than the file's."""

    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        raise NotImplementedError

    def _tokenizer(self, content: str) -> Tokenizer:
        return self.change(super()._tokenizer(content))


@mutant(breaks="persistence.tokenizer-runs", story="does not clean up")
class RunsUncleaned(_Runs):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, cleanup=False)


@mutant(breaks="persistence.tokenizer-runs", story="takes no word for too long")
class RunsWithoutLimit(_Runs):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, max_input_chars=100)


@mutant(breaks="persistence.tokenizer-runs", story="lowercases whatever the file says")
class RunsLowercased(_Runs):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, lowercase=True)


@mutant(breaks="persistence.tokenizer-runs", story="does not know which added tokens are special")
class RunsWithoutSpecials(_Runs):
    def change(self, tokenizer: Tokenizer) -> Tokenizer:
        return replace(tokenizer, added_tokens=[replace(token, special=False) for token in tokenizer.added])


@mutant(
    breaks="persistence.tokenizer-added-names",
    story="calls an added token by its normalized form",
)
class NamesByForm(Persistence):
    def run_tokenizer(self, content: str, text: str) -> Ran:
        ids, tokens, offsets, decoded, whole = super().run_tokenizer(content, text)
        name = json.loads(content)["added_tokens"][0]["content"]
        return ids, [token.lower() if token == name else token for token in tokens], offsets, decoded, whole


@mutant(
    breaks="persistence.tokenizer-added-names",
    story="does not leave a special token out that is sought in normalized text",
)
class KeepsNormalizedSpecials(Persistence):
    def run_tokenizer(self, content: str, text: str) -> Ran:
        ids, tokens, offsets, _, whole = super().run_tokenizer(content, text)
        return ids, tokens, offsets, whole, whole
