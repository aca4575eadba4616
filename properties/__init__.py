"""The laws, the strategies and oracles that they use, and the mutants that prove them."""
