"""Benchmarks with verdicts: runs that are saved, two sides measured by turns, and gates that know the noise.

What is measured, and how a call of each subject is made, is in the room `bench`, which a process of the side itself
runs; what follows from the measurements is here.
"""
