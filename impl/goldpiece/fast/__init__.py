"""The efficient twins of the reference: the same names, signatures and results, by better algorithms."""
