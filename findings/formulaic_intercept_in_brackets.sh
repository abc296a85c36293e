#!/bin/sh
# formulaic 1.2.2: a 0 or -1 inside brackets does not remove the intercept: y ~ (0 + a) is a model with an intercept.
#
# A formula is often put together from parts in brackets: "y ~ (" + terms + ")". Expected: the same model as without the brackets around the
# whole right side, as in patsy and R: y ~ (0 + a) goes through the origin. Seen: the columns are Intercept and a, without a warning; the
# same for (a - 1). Without brackets, 0 + a and a - 1 remove it.
. "$(dirname "$0")/install.sh"
install formulaic==1.2.2 pandas==3.1.1 numpy==2.4.6 patsy==1.0.3
"$PYTHON" - <<'PYTHON'
import formulaic
import pandas
import patsy

data = pandas.DataFrame({"y": [1.0, 2.0, 3.0], "a": [1.0, 2.0, 4.0]})
for formula in ("y ~ 0 + a", "y ~ a - 1", "y ~ (0 + a)", "y ~ (a - 1)"):
    columns = list(formulaic.model_matrix(formula, data).rhs.columns)
    others = patsy.dmatrices(formula, data)[1].design_info.column_names
    print(f"{formula:12} formulaic {columns}, patsy {others}")
    assert others == ["a"], others
    assert columns == (["Intercept", "a"] if "(" in formula else ["a"]), columns
print("seen: brackets around the whole right side bring the intercept back")
PYTHON
