"""What collators made, recorded in files: read, and judged by the clauses that can be seen there."""
