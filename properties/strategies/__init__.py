"""What laws draw from: inputs aimed at the places where implementations differ.

Each strategy is a function of the scope, so that it stays within what the profile covers and the subject declares.
What each claims to reach, impl/tests/test_strategies.py counts. Composites take what they draw from of `once`.
"""
