"""Files of the statement design-bracket: translated from format 1, forged, and built for single conditions."""
