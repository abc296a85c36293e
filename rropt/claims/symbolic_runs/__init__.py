"""The run on symbols: prove a claim in Python at every shape of its sweep, with one symbol for each entry."""
