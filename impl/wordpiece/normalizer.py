"""Text in its short normalized form."""

from goldpiece.reference.normalizer import simple_form as normalize

__all__ = ["normalize"]
