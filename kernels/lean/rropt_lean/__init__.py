"""Certificates of linear programs for Lean: builder of terms, general theorem, printer and export."""
