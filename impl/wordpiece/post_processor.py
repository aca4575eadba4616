"""Tokens in their frame."""

from goldpiece.reference.post_processor import Framed, PostProcessor

__all__ = ["Framed", "post_process"]

post_process = PostProcessor().process
