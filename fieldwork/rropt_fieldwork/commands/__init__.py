"""The commands of fieldwork, and the reader of FILE."""
