"""Write the certificates of designs, with the witness of each rule (specification: checker/FORMAT.md)."""
