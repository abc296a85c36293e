#!/bin/sh
# formulaic 1.2.2: a row whose category is not among levels=[...] stays, with the coding of the reference level.
#
# A regression on C(region, levels=["a", "b"]), or a prediction for a region that the fit has not seen. The warning says that such values
# are "cast to nan". Expected from it: the row leaves, as na_action="drop" does with every other missing value, or an error, as in patsy.
# Seen: the row keeps zeros in every column of the factor, which is the coding of "a"; with na_action="raise" too. A pandas Categorical of
# the same levels does leave.
. "$(dirname "$0")/install.sh"
install formulaic==1.2.2 pandas==3.1.1 numpy==2.4.6 patsy==1.0.3
"$PYTHON" - <<'PYTHON'
import warnings

import formulaic
import pandas
import patsy

data = pandas.DataFrame({"region": ["a", "b", "c"]})
formula = "C(region, levels=['a', 'b'])"
for action in ("drop", "raise"):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        matrix = formulaic.model_matrix(formula, data, na_action=action)
    print(f"na_action={action!r}:", matrix.to_numpy().tolist())
    assert matrix.to_numpy().tolist() == [[1, 0], [1, 1], [1, 0]], matrix  # the third row is that of region a
    assert any("cast to nan" in str(each.message) for each in caught), caught
spec = formulaic.model_matrix("region", data[:2]).model_spec
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    assert spec.get_model_matrix(data[2:]).to_numpy().tolist() == [[1, 0]]  # a prediction for c is that for a
    kept = formulaic.model_matrix("region", data.assign(region=pandas.Categorical(["a", "b", None], ["a", "b"])))
assert len(kept) == 2, kept
try:
    patsy.dmatrix(formula, data)
except patsy.PatsyError as error:
    print("patsy:", str(error).splitlines()[0])
else:
    raise AssertionError("patsy accepts a category outside")
print("seen: a category outside the levels counts as the reference level")
PYTHON
