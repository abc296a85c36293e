"""The engine of optimal designs: a region lists rays, an objective values them, one method finds their weights."""
