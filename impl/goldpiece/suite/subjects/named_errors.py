"""Errors that specs name, for what the libraries under test report in a way of their own."""

from goldpiece.errors import GoldpieceError


class UnknownTokenMissing(GoldpieceError):
    """A word needs the unknown token, which the vocabulary lacks: a plain Exception, as a rule."""


class UnknownId(GoldpieceError):
    """No token has an id: an OverflowError, a KeyError or None, as a rule."""


class SpecialTokenMissing(GoldpieceError):
    """The frame needs a token that the vocabulary lacks; where an adapter builds the frame, it has to say so."""
