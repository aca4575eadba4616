"""`python -m goldpiece` is `goldpiece`."""

from goldpiece.cli import main

main()
