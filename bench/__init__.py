"""How fast and how hungry each component is: `pytest bench`, or without a checkout `python -m goldpiece.bench`.

A workload is declared once, in bench_<component>.py, and runs on our reference and, where it is installed, on
`tokenizers`: in one run, on the same inputs, round about round. What counts is the ratio; times say as much of the
machine, and of what else it does, as of the code. No workload counts whose output is not right.
"""
