"""Claims as cards: text that is read, judged and proved, without any Python of its author."""
