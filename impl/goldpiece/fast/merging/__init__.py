"""The corpus of a training in flat arrays, and the functions that merge in them: as Python, or compiled by numba.

They are the same functions, over the same arrays. So a training begins at once, in Python, and goes on compiled from
the merge on at which that has become worth the start.
"""
