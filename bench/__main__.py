"""`python -m goldpiece.bench`: the same as `pytest bench`, wherever Goldpiece is installed."""

import sys
from pathlib import Path

import pytest

sys.exit(pytest.main([str(Path(__file__).parent), "-pno:cacheprovider", *sys.argv[1:]]))
