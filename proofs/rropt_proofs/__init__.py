"""The registry of claims: one folder per paper, one file per claim. Installed as the package ``rropt_proofs``."""

NOT_CLAIMS = ("_template",)  # to be copied
