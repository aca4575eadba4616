"""The harness: specs, subjects, laws and verdicts. It reaches implementations only through subjects."""
