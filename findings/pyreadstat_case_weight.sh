#!/bin/sh
# pyreadstat 1.3.7 and pandas 3.1.1: nothing of what is read from an SPSS file says that the file is weighted.
#
# In SPSS and PSPP a file remembers WEIGHT BY: every procedure that opens it weights the cases. The header of the format
# states the index of the weight variable in the four bytes at offset 76 (0: no weight).
# Expected: a field of the metadata that names the weight. Seen: the metadata of a weighted and of an unweighted file are equal,
# so that the same file gives one proportion in SPSS (0.6) and another in Python (0.5).
. "$(dirname "$0")/install.sh"
install pyreadstat==1.3.7 pandas==3.1.1
"$PYTHON" -W error - <<'PYTHON'
import pandas
import pyreadstat

answers = pandas.DataFrame({"sick": [1.0, 0.0, 1.0, 0.0], "w": [2.0, 1.0, 1.0, 1.0]})
pyreadstat.write_sav(answers, "plain.sav")
with open("plain.sav", "rb") as file:
    data = bytearray(file.read())
assert data[:4] == b"$FL2" and int.from_bytes(data[76:80], "little") == 0
data[76:80] = (2).to_bytes(4, "little")  # WEIGHT BY w: the second variable
with open("weighted.sav", "wb") as file:
    file.write(data)

frame, weighted = pyreadstat.read_sav("weighted.sav")
_, plain = pyreadstat.read_sav("plain.sav")
print("fields of the metadata that differ:", [key for key in vars(plain) if vars(plain)[key] != vars(weighted)[key]])
assert vars(plain) == vars(weighted)
assert "weight" not in " ".join(vars(weighted)).lower()
attributes = str(pandas.read_spss("weighted.sav").attrs)
assert "weight" not in attributes.lower(), attributes
print("unweighted:", frame["sick"].mean(), " weighted:", (frame["sick"] * frame["w"]).sum() / frame["w"].sum())
print("seen: the case weight of the file leaves no trace")
PYTHON
