"""Design problems in symbols; the file names are those of ``rropt/designs``."""
