"""Plans of surveys in symbols."""
