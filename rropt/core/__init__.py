"""Core: exact numbers, linear programs, files, results, and certificates as documents."""
