"""Instruction sheets and shuffled cards."""
