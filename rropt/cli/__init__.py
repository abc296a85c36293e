"""The command line: one file per command, each a thin edge around the library."""
