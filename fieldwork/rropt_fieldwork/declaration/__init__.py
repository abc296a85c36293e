"""The declaration of a survey in one file, ``survey.toml``: its columns, devices, questions and promised level."""
