"""Devices: decks of cards, dice, sums of responses, and what each threat model reveals."""
