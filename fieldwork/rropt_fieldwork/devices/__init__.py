"""Devices: decks of cards, dice, sums of responses, and their privacy under each threat model."""
