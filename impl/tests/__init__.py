"""Tests of the harness itself. What the components do, the laws of properties/ test."""
