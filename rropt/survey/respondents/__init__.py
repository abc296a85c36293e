"""Respondents as estimates receive them: counted, with their sampling design and a report; no files."""
