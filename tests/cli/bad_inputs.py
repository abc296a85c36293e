"""Bad inputs of every command, one per line: arguments, exit status, and a word that the one line of error must hold.

``{m}`` and so on stand for files of the folder that the test makes; ``OLD`` is a file that must stay as it is.
"""

from __future__ import annotations

import shlex

FILES = {
    "m.json": '{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}',
    "m3.json": '{"matrix": [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]}',
    "bad.json": '{"matrix": [["3/4", "1/4"], ["1/4", "1/4"]]}',
    "cut.json": '{"matrix": [["3/4", "1/4"',
    "twice.json": '{"matrix": [], "matrix": []}',
    "nan.json": '{"matrix": [[NaN, 0], [1, 1]]}',
    "deep.json": "[" * 40 + "]" * 40,
    "empty.json": "",
    "bytes.json": "\xff\xfe",
    "short.npy": "\x93NUMPY\x01\x00",
    "ragged.csv": "0.5,0.5\n0.5\n",
    "words.csv": "yes,no\nno,yes\n",
    "answers.csv": "0\n1\n0\n",
    "levels.json": '[["0", "1"], ["1", "0"]]',
    "no_rows.json": '{"matrix": []}',
    "no_columns.json": '{"matrix": [[], []]}',
    "null.json": "null",
    "object.json": '{"matrix": {"a": 1}}',
    "booleans.json": '{"matrix": [[true, false], [false, true]]}',
    "missing.json": '{"matrix": [[null, "1/2"], ["1", "1/2"]]}',
    "digits.json": '{"matrix": [[' + "9" * 5000 + ", 0], [0, 1]]}",
    "over_zero.json": '{"matrix": [["1/0", "0"], ["1", "1"]]}',
    "deepest.json": "[" * 100_000,
    "lines.csv": "\n\n",
    "inf.csv": "inf,0\n0,1\n",
    "huge.csv": "1e999999999,0\n0,1\n",
    "negative.csv": "-0.5,0.5\n1.5,0.5\n",
    "quoted.csv": '"0.5,0.5\n0.5,0.5\n',
    "objects.npy": "\x93NUMPY\x01\x00v\x00{'descr':'|O','fortran_order':False,'shape':(1,)}\n",
    "misspelt.toml": 'problem = "binary"\n[grid]\nepsilom = 1\n',
    "grid.json": '{"problem": "binary", "grid": {"epsilon": "1", "prevalence": ["0", "1/4"]}}',
    "OLD": "before",
}

TABLE = r"""
design binary --epsilon -1/2 --prevalence 1/4                                 | 2 | '-1/2'; allowed is 0 <= epsilon
design binary --epsilon "__import__('os')" --prevalence 1/4                   | 2 | epsilon is not a number
design binary --epsilon 1 --delta -0.1 --prevalence 1/4                       | 2 | '-0.1'; allowed is 0 <= delta <= 1
design binary --epsilon 1 --prevalence 1/4 --unknown | 2 | no such argument: received '--unknown'
design binary --epsilon 1 --prevalence 1/4 --confidence 0.9                   | 2 | --confidence goes with --n
design binary --epsilon 1 --prevalence 1/4 --outputs three                    | 2 | --outputs is unknown
design binary --epsilon 1 --prevalence 1/4..1/5                               | 2 | '1/4..1/5'; allowed is LOW..HIGH
design binary --epsilon 1 --prevalence 0..2                                   | 2 | '0..2'; allowed is LOW..HIGH
design binary --epsilon 1 --prevalence 0..1 --routes exact | 2 | --routes belongs to a single prevalence
design binary --epsilon 1 --prevalence 0..1 --certificate {here}/no/folder/c  | 2 | No such file
design binary --epsilon 1 --prevalence 1/4 --delta 1e-400                     | 2 | delta is too long
design kary --categories x --objective trace --epsilon 1                      | 2 | received none of -k --proportions
design kary -k 4 --proportions 1/2,1/2 --objective trace --epsilon 1          | 2 | --proportions does not go with -k
design kary --proportions 3/2,-1/2 --objective loss:zero-one --epsilon 1      | 2 | negative entry: received -1/2
design kary --proportions a,b --objective loss:zero-one --epsilon 1           | 2 | population[0] is not a number
design kary -k 4 --objective trace --epsilon 1 --costs 1,1,1,nan              | 2 | weights[3] is not a number
design kary -k 4 --objective loss:zero-one --epsilon 1 --costs 1,1,1,1        | 2 | --costs does not belong
design kary -k 4 --objective trace --epsilon 1 --levels {none}                | 2 | --levels does not go with --epsilon
design kary -k 4 --objective trace --levels {none}                            | 2 | levels file cannot be read
design kary -k 4 --objective trace --epsilon 1 --distance euclid              | 2 | --distance is unknown
design kary -k 4 --objective trace --epsilon 1 --distance abs --delta 2       | 2 | did you mean 2 %
design kary --proportions 1/2,1/2 --objective trace --epsilon 1               | 2 | give the proportions as --costs
design kary -k 2 --objective a-optimal --level renyi:2,1/2 --level renyi:8,1/2 | 2 | renyi stands alone
design kary -k 2 --objective a-optimal --epsilon 1 --epsilon 1/2              | 2 | --epsilon is given more than once
design kary -k 2 --objective a-optimal --gamma 1 --gamma 1/2                  | 2 | --gamma is given more than once
design kary -k 2 --objective a-optimal --delta 1 --delta 1/2                  | 2 | --delta is given more than once
design kary -k 2 --objective a-optimal --level zcdp:0                         | 2 | Renyi divergences of 0 leave nothing
design kary -k 2 --objective a-optimal --level gdp:0                          | 2 | allowed is 0 < mu <= 8
design kary -k 6 --objective a-optimal --level gdp:1                          | 2 | 2 to 5 categories
design kary -k 2 --objective a-optimal --level gdp:1 --level zcdp:1           | 2 | zcdp stands alone
design kary --proportions 1/4..1/2,1/2..3/4 --objective a-optimal --level zcdp:1/8 | 2 | one population: received ranges
privacy --criterion --beta 2 --delta 1/10 | 2 | no such argument: received --delta; leave it out
privacy --repair warner:3/4 --gamma 2 --profile | 2 | no such argument: received --profile; leave it out
compare warner:3/4 warner:2/3 --epsilon 1 | 2 | no such argument: received --epsilon; leave it out
compose warner:3/4 --waves 3 --points 4 | 2 | no such argument: received --points; leave it out
count --add part.json --shard a | 2 | no such argument: received --shard; leave it out
plan --minimax --gamma 3 --n 3 --margin 0.1 | 2 | no such argument: received --margin; leave it out
sheet --deal --deck 1,2 --title x | 2 | no such argument: received --title; leave it out
compose 1/2 --epsilon log(0)                                                  | 2 | needs a rational q > 0
plot breaches --gamma 1 --output {here}/p.svg | 2 | a bound of the Bayes factors is out of range
plot explorer --epsilon 1e-9 --output {here}/p.html                           | 2 | 0 < epsilon <= log(1000000)
plot explorer --epsilon log(1000001) --output {here}/p.html                   | 2 | 0 < epsilon <= log(1000000)
privacy christofides:1/10,3/10,6/10 --n 25 --cards-without-replacement | 2 | such as 20
privacy christofides:1/10,3/10,6/10 --n 0 | 2 | 1 to 1000000000
privacy christofides:1/10,3/10,6/10 --cards-without-replacement | 2 | --n
privacy christofides:1 --n 3 | 2 | at least 2
privacy forced:1/2,1/3,1/6 --n 6 --cards-without-replacement | 2 | needs Christofides
privacy warner:3/4 --n 6 --others 6 | 2 | an integer from 0 to 5
privacy warner:3/4 --n 6 --belief 2 | 2 | 0 <= q <= 1
privacy warner:3/4 --n 6 --belief 1/2 --others 1 | 2 | --others does not go with --belief: received both
privacy warner:3/4 --n 6 --profile | 2 | --profile
privacy warner:3/4 --n 6 --delta 1/2 | 2 | --delta
privacy grr:3,1/2 --n 6 | 2 | one trait
privacy christofides:1/2,1/4,1/4 --n 1000 --view counts --epsilon 1/2 | 2 | 501501 states
design                                                                        | 2 | an argument is missing: received no
design ternary                                                                | 2 | is unknown: received
design binary --epsilon nan --prevalence 1/4                                  | 2 | epsilon
design binary --epsilon 1000 --prevalence 1/4                                 | 2 | epsilon
design binary --epsilon 0 --prevalence 1/4                                    | 2 | epsilon
design binary --gamma "" --prevalence 1/4                                     | 2 | gamma
design binary --epsilon 1 --delta exp(1) --prevalence 1/4                     | 2 | delta
design binary --epsilon 1 --prevalence 1/0                                    | 2 | prevalence
design binary --epsilon 1 --prevalence 1..0                                   | 2 | 1..0
design binary --epsilon 1 --prevalence 1/4 --routes magic                     | 2 | magic
design binary --epsilon 1 --prevalence 1/4 --n 10 --confidence 2              | 2 | confidence
design binary --rho 1/2 1/5 --prevalence 1/4                                  | 2 | rho
design binary --beta 1 --prevalence 1/4                                       | 2 | received
design binary --upper 1 --prevalence 1/4                                      | 2 | B(h)
design binary --rho 1/5 1/2 --delta 1/4 --prevalence 1/4                      | 2 | --delta
design binary --epsilon 1,000 --prevalence 1/4                                | 2 | write 1000, or 1.000
design kary --proportions 0,5,0,5 --epsilon 1 --objective a-optimal            | 2 | '0,5;0,5'
plot margin warner:0,75 --prevalence 10% --json                               | 2 | '0.75'
design binary --epsilon 1 --prevalence 1/4 --certificate {here}/no/c.json     | 2 | No such file
design binary --epsilon 1 --prevalence 1/4 --certificate {OLD}/c.json         | 2 | Not a directory
design binary --epsilon 1 --prevalence 1/4 --certificate {here}/new/          | 2 | cannot write
design binary --epsilon 1 --prevalence 1/4 --certificate {loop}               | 2 | symbolic links
design binary --epsilon 1 --prevalence 1/4 --certificate {OLD} --report {link}| 2 | same file
design binary --epsilon 1 --prevalence 1/4 --certificate {new} --output {here}/./new.json | 2 | same file
design binary --upper "min(1,2*p+1/10)" --prevalence 1/4 --certificate {new} --output {bound} | 2 | same file
design binary --upper "min(1,2*p+1/10)" --prevalence 1/4 --certificate {fifo} | 2 | regular file
design kary --epsilon 1 --proportions 1/2,1/2 --objective bayes               | 2 | which no option writes
design kary -k 1 --epsilon 1 --objective trace                      | 2 | -k
design kary -k 3 --epsilon 1 --objective loss                       | 2 | --objective loss
design kary -k 3 --epsilon 1 --objective loss:{none}         | 2 | cannot be read
design kary -k 3 --epsilon 1 --objective loss:{words.csv}    | 2 | number
design kary -k 3 --epsilon 1 --objective trace --bounds {cut.json}  | 2 | JSON
design kary -k 3 --epsilon 1 --objective trace --bounds {none}      | 2 | cannot be read
design kary --proportions 1/2 --epsilon 1 --objective loss:squared     | 2 | --proportions
design kary -k 3 --epsilon 1 --objective loss:{OLD} --report {OLD} | 2 | the input itself
design bits --epsilon 1                                                       | 2 | list of weights
design bits --epsilon 1 --number 0                                         | 2 | an integer from 1 to 256
design bits --epsilon 1 --number 257                                       | 2 | --number
design bits --epsilon 0 --number 2                                         | 2 | nothing to estimate
design bits --epsilon 1 --delta 1/10 --number 2                            | 2 | --delta
design bits --epsilon 1 --number 2 --costs 1,2,3                         | 2 | weights
design bits --epsilon 1 --costs 1,-2                                        | 2 | weight 1
design bits --epsilon 1 --costs 1,,2                                        | 2 | weight 1
design bits --epsilon 1 --costs 0,0                                         | 2 | all 0
design bits --epsilon 1 --costs ""                                            | 2 | empty list
estimate {answers.csv} --columns a,b --mechanism bits:3/4*2 --by ""           | 2 | empty list
randomize {answers.csv} --mechanism bits:3/4*2 --output-names a,b                  | 2 | leave them out
plan --epsilon 1 --delta 1/9 --middle 1/9 --surveyed --prevalence 1/4 --variance 1 | 2 | --delta
report {levels.json} --output {here}/r.md                                       | 2 | contains no result
privacy warner:3/4 --properties ""                                            | 2 | no properties
estimate {answers.csv} --column a --mechanism warner:3/4 --fpc 1e99999999999  | 2 | too long
compare --literature --epsilon 1 --prevalence 1/4 --nobody 3                  | 2 | see rropt compare --help
design bits --epsilon 1 --costs 1,1e70                                      | 2 | too much
design bits --epsilon 1 --prevalences 1/2,3/2                                 | 2 | prevalence 1
design bits --epsilon 1 --costs 1,2 --objective joint                       | 2 | marginals
design bits --epsilon 1 --costs 1,2 --routes closed-form                    | 2 | closed-form
design bits --epsilon 1 --number 2 --routes magic                          | 2 | magic
check {none}                                                                  | 2 | cannot read
check {here}                                                                  | 2 | cannot read
check ""                                                                      | 2 | cannot read
privacy                                                                       | 2 | mechanism is missing
privacy {none}                                                                | 2 | cannot be read
privacy {here}                                                                | 2 | cannot be read
privacy {cut.json}                                                            | 2 | JSON
privacy {twice.json}                                                          | 2 | twice
privacy {nan.json}                                                            | 2 | NaN
privacy {deep.json}                                                           | 2 | nested
privacy {empty.json}                                                          | 2 | empty
privacy {bytes.json}                                                          | 2 | UTF-8
privacy {short.npy}                                                           | 2 | .npy
privacy {ragged.csv}                                                          | 2 | length
privacy {words.csv}                                                           | 2 | number
privacy {no_rows.json}                                                        | 2 | list of rows
privacy {no_columns.json}                                                     | 2 | row 0
privacy {null.json}                                                           | 2 | matrix
privacy {object.json}                                                         | 2 | list of rows
privacy {booleans.json}                                                       | 2 | True
privacy {missing.json}                                                        | 2 | None
privacy {digits.json}                                                         | 2 | too long
privacy {over_zero.json}                                                      | 2 | denominator 0
privacy {deepest.json}                                                        | 2 | levels deep
privacy {lines.csv}                                                           | 2 | empty
privacy {inf.csv}                                                             | 2 | inf
privacy {huge.csv}                                                            | 2 | too long
privacy {negative.csv}                                                        | 2 | negative
privacy {quoted.csv}                                                          | 2 | entry (0, 0)
privacy {objects.npy}                                                         | 2 | .npy
privacy warner:3/4 --gamma 1e99999999                                         | 2 | too long
privacy warner:3/4 --epsilon "log(1e-99999999)"                               | 2 | too long
privacy warner:3/4 --epsilon 1e999999999999999999999                          | 2 | epsilon
privacy warner:3/4 --epsilon "log(0)"                                         | 2 | q > 0
privacy grr:0,1/2                                                             | 2 | received 0
privacy grr:1e9,1/2                                                           | 2 | received 1000000000
design binary --epsilon 1 --prevalence 1e-99999999                            | 2 | too long
design kary -k 3 --epsilon 1 --objective a-optimal --outputs 2 | 2 | do not identify
design kary -k 3 --epsilon 1 --objective a-optimal --outputs three | 2 | outputs
design kary -k 3 --epsilon 1 --objective a-optimal --bounds 1/5..1 | 2 | add --outputs
design kary -k 3 --epsilon 1 --objective a-optimal --outputs 3 --bounds 1/2..1 | 2 | more than 1
design kary -k 2 --epsilon 1 --objective a-optimal --outputs 3 --bounds 1/4..1/5  | 2 | cross
design kary -k 3 --gamma 3..2 --objective trace                     | 2 | gamma
estimate --counts "" --mechanism warner:3/4                                   | 2 | counts
estimate --yes 30 --n 99 --mechanism warner:3/4 --population 999 --direct-responses 3,5 | 2 | --direct-responses
estimate --yes 30 --n 99 --mechanism warner:3/4 --population 999 --all-intervals | 2 | --all-intervals
plan --mechanism warner:3/4 --groups 0.1,0.2 --power 0.8 --direct               | 2 | --direct
plan --mechanism warner:3/4 --margin 1e-30                                    | 2 | out of reach
randomize {empty.json} --mechanism warner:3/4                                 | 2 | empty
privacy nobody:1/2                                                            | 2 | nobody
privacy warner                                                                | 2 | warner
privacy warner:2                                                              | 2 | probability
privacy warner:3/4 --rho 1/5                                                  | 2 | --rho has too few values: received 1
privacy warner:3/4 --rho 1/2 1/5                                              | 2 | rho
privacy warner:3/4 --upper q                                                  | 2 | upper
privacy warner:3/4 --lower p                                                  | 2 | --upper
privacy warner:3/4 --properties "0;9"                                         | 2 | received
privacy warner:3/4 --properties "x"                                           | 2 | properties
privacy --criterion                                                           | 2 | criterion is missing
privacy --criterion --upper "__import__('os')"                                | 2 | upper
privacy --criterion --upper "2*p"                                             | 2 | upper
privacy --criterion --lower p                                                 | 2 | --upper
privacy --criterion --beta x                                                  | 2 | received
privacy --criterion --rho 1/5 1/2 {none}                                      | 2 | cannot be read
plan --minimax --n 5                                                          | 2 | neither a mechanism
plan --minimax --epsilon 0 --n 5                                              | 2 | above 0
plan --minimax --gamma 1/2 --n 5                                              | 2 | gamma
plan --minimax --epsilon 1 --n 301                                            | 2 | respondents
compare --literature --prevalence 1/4                                         | 2 | --epsilon
compare --literature --epsilon 1                                              | 2 | --prevalence
compare --literature --gamma 1 --prevalence 1/4                               | 2 | nothing
compare --literature --gamma 1/2 --prevalence 1/4                             | 2 | gamma
compare --literature --epsilon 1 --prevalence 3/2                             | 2 | prevalence
compare --literature --epsilon 1 --prevalence 1/4 --n 1 --surveyed  | 2 | population of 1
compare --literature --epsilon 1 --prevalence 1/4 --n 9 --population 8 | 2 | N >= n
compare --literature --epsilon 1 --prevalence 1/4 --n 0 | 2 | --n is not a count
compare --literature --epsilon 1 --prevalence 1/4 --population 0 | 2 | --population is not a count
compare --literature --epsilon 1 --prevalence 1/4 --middle 1                  | 2 | middle
compare --literature --epsilon 1 --prevalence 1/4 --other 1                   | 2 | other
compare --literature --epsilon 1 --prevalence 1/4 --cards-drawn 21                  | 2 | --cards-drawn
compare --literature --epsilon 1 --prevalence 1/4 --belief 2                  | 2 | belief
compare --literature --epsilon 1 --prevalence 1/4 --margin 2                  | 2 | margin
compare --literature --epsilon 1 --prevalence 1/4 --standard-error 0          | 2 | standard error
compare --literature --epsilon 1 --prevalence 1/4 --variance x                | 2 | variance
compare --literature --epsilon 1 --prevalence 1/4 --confidence 0.9            | 2 | belongs to a margin
compare --literature --epsilon 1 --prevalence 1/4 --plot {here}/a.gif         | 2 | .png
compare --literature --epsilon 1 --prevalence 1/4 --plot {here}/a.png --epsilon 1-2 | 2 | --epsilon
compare --literature --epsilon 1 --prevalence 1/4 --certificate {OLD} --plot {OLD} | 2 | same file
compare grr subset                                                            | 2 | one product
compare bits:3/4*2 warner:3/4 --marginals 1                                   | 2 | --marginals
compare bits:3/4*2 grr --marginals 3                                          | 2 | an integer from 1 to 2
compare bits:1,3/4 grr                                                        | 2 | epsilon = inf
compare bits:1/2*3 subset                                                     | 2 | epsilon = 0
compare bits:3/4*500 subset                                                   | 2 | 2^400
compare warner:3/4 {m3.json}                                                  | 2 | inputs
compare warner:3/4 {bad.json}                                                 | 2 | sum to 1
compare warner:3/4 warner:2/3 --plot {here}/order.txt                         | 2 | .png
compare warner:3/4 warner:2/3 --certificate {OLD}                            | 2 | name a folder
compare warner:3/4 {nobody} --certificate {here}/made                        | 2 | cannot be read
compare --admissible                                                          | 2 | one mechanism
compare --admissible {none}                                                   | 2 | cannot be read
compare --admissible warner:1                                                 | 2 | infinite
compare --admissible warner:3/4 --gamma 2                                     | 2 | parity
compare --admissible warner:3/4 --epsilon 0                                   | 2 | 0
compare --admissible {m.json} --certificate {m.json}                          | 2 | the input itself
compare --admissible warner:1/2 --gamma 2 --certificate {fifo}                | 2 | regular file
privacy --repair {bad.json}                                                   | 2 | level is missing
privacy --repair {bad.json} --epsilon x                                       | 2 | epsilon
privacy --repair {words.csv} --epsilon 1                                      | 2 | number
privacy --repair {bad.json} --epsilon 1 --output {here}/mechanism.npy         | 2 | .json
regress {answers.csv} --formula a~b --mechanism warner:3/4 --covariate =grr:2,1 | 2 | --covariate is not COLUMN=MEC
regress {answers.csv} --formula a~b --mechanism warner:3/4 --covariate b= | 2 | --covariate is not COLUMN=MEC
report {words.csv} --output {here}/r.md                                         | 2 | JSON
noncompliance                                                                 | 2 | responses are missing
noncompliance --yes 3 --n 2 --mechanism warner:3/4 --theta 0..1/10             | 2 | yes
sheet --deal                                                                  | 2 | not given exactly once
sheet --deal --deck 8,8,16 --n 32                                   | 2 | --n
sheet --deal --deck 8,-8,16                                                   | 2 | --deck
sheet --deal --deck 8                                                         | 2 | no deck
sheet --deal --deck 8,8,8                                                     | 2 | nothing
sheet --deal --deck 0,0                                                       | 2 | no deck
sheet --deal --deck 1000000000,1                                              | 2 | cards
sheet --deal --deck 1000000,1                                                 | 2 | too large
sheet --deal christofides:1/4,1/4,1/2                                         | 2 | --n
sheet --deal christofides:1/4,1/4,1/2 --n 33                        | 2 | whole cards
sheet --deal unrelated:1/2,1/12 --n 32                              | 2 | needs Christofides
sheet --deal --deck 1,1,2 --people {answers.csv}                              | 2 | names do not name
sheet --deal --deck 1,2 --people {none}                                       | 2 | cannot be read
sheet --deal --deck 6000,6001 --print {here}/p.html                                   | 2 | too many
sweep {m.json} --output {new}                                                 | 2 | unknown key
sweep {misspelt.toml} --output {new}                                          | 2 | did you mean 'epsilon'
sweep {twice.json} --output {new}                                             | 2 | twice
sweep {answers.csv} --output {new}                                            | 2 | TOML
sweep {empty.json} --output {new}                                             | 2 | empty
sweep {grid.json} --output /dev/null                                          | 2 | not a regular file
sweep {grid.json} --output {new} --certificate {OLD}                         | 2 | name a folder
sweep {grid.json} --output {new} --cluster x                                  | 2 | dask
laplace                                                                       | 2 | --epsilon
laplace --epsilon 0                                                           | 2 | 0 < epsilon
laplace --epsilon -1                                                          | 2 | epsilon
laplace --epsilon inf                                                         | 2 | epsilon
laplace --epsilon 1 sensitivity:0                                           | 2 | public
laplace --epsilon 1 sensitivity:inf                                         | 2 | infinite
laplace --epsilon 1 sensitivity:1/2                                         | 2 | grid
laplace --epsilon 1 sum:5                                                   | 2 | LOW,HIGH
laplace --epsilon 1 sum:5,5                                                 | 2 | low < high
laplace --epsilon 1 sum:0,inf                                               | 2 | infinite
laplace --epsilon 1 histogram:1                                             | 2 | histogram:K
laplace --epsilon 1 sensitivity                                 | 2 | sensitivity:D
laplace --epsilon 1 sensitivity:1,0                             | 2 | sensitivity:D,K
laplace --epsilon 1 --step 0                                                  | 2 | step
laplace --epsilon 1 --confidence 1                                            | 2 | confidence
laplace --epsilon 1 --threshold x                                             | 2 | threshold
laplace --epsilon 1 --at x                                                    | 2 | epsilon
laplace --epsilon 1 --release 1,2                                             | 2 | one of each
laplace --epsilon 1 --release ""                                              | 2 | not shown
laplace --epsilon 1 --release 8312.5                                          | 2 | not shown
laplace --epsilon "log(1.00001)" --release 1                                  | 2 | rational epsilon
design list all                                                               | 2 | there is no such argument: received
design binary --epsilon 1 --prevalence 1/4 --n 0                              | 2 | --n is not a count
design kary --epsilon 1 --objective trace                                     | 2 | an argument is missing: received no
estimate --yes -1 --n 3 --mechanism warner:3/4                                | 2 | --yes is not a count
estimate --yes 0 --n 0 --mechanism warner:3/4                                 | 2 | --n is not a count
estimate --yes 5 --n 3 --mechanism warner:3/4                                 | 2 | yes
estimate --counts 0,0 --mechanism warner:3/4                                  | 2 | number of responses
estimate --yes 1 --n 3 --mechanism warner:3/4 --confidence 1                  | 2 | confidence
estimate --yes 1 --n 3 --mechanism warner:3/4 --contrast 1                    | 2 | contrast
plan --mechanism warner:3/4 --margin 0                                        | 2 | margin
plan --mechanism warner:3/4 --margin x                                        | 2 | margin
plan --mechanism warner:3/4 --power 0.9                                       | 2 | prevalence
plan --mechanism warner:3/4 --margin 0.1 --null 0                             | 2 | null does not belong
plan --mechanism warner:3/4 --margin 0.1 --delta 1/4                          | 2 | --delta
plan --mechanism warner:3/4 --standard-error 0                                | 2 | standard error
plan --mechanism {m3.json} --power 0.1                                        | 2 | prevalence or a contrast
plan --mechanism bits:3/4*3 --power 0.9 --prevalence 1/4                      | 2 | name the question
plan --mechanism bits:3/4*3 --margin 0.1 --interval exact                     | 2 | normal
plan --mechanism bits:3/4*3 --margin 0.1 --proportions uniform                 | 2 | Hoeffding
plan --mechanism bits:3/4*3 --variance 1/10 --proportions 1/2,1/2              | 2 | population
plan --mechanism bits:3/4*3 --variance 1/10 --only 0,3                   | 2 | no such questions
plan --mechanism bits:3/4*3 --variance 1/10 --only 0,0                   | 2 | no such questions
plan --mechanism bits:3/4*3 --variance 1/10 --only 0,1 --marginals 2     | 2 | both name
plan --mechanism bits:3/4*3 --variance 1/10 --marginals 4                     | 2 | allowed is an integer from 1 to 3
plan --mechanism bits:3/4*3 --variance 1/10 --marginals 2 --n 10              | 2 | leave one
plan --mechanism bits:3/4,1/2 --variance 1/10                                 | 2 | number 1 of 2
plan --mechanism bits:3/4*3 --variance 1/10 --only 1 --proportions uniform | 2 | give the prevalence
plan --mechanism warner:3/4 --margin 0.1 --n 10                               | 2 | several questions
plan --epsilon 1 --prevalence 1/4 --margin 0.1 --only 1                  | 2 | no such questions
randomize {answers.csv}                                                       | 2 | --mechanism
randomize {none} --mechanism warner:3/4                                       | 2 | cannot be read
randomize {answers.csv} --mechanism warner:3/4 --column a                     | 2 | no column
randomize {answers.csv} --mechanism warner:3/4 --categories a                 | 2 | categories
randomize {answers.csv} --mechanism warner:3/4 --output-names a,a                  | 2 | outputs
randomize {answers.csv} --mechanism {m.json} --output {m.json}                | 2 | the input itself
plot g --output {here}/g.txt                                                  | 2 | .png
plot g --output {here}/g.png --size huge                                      | 2 | huge
plot g --output {here}/g.png --values 2                                       | 2 | received
plot g --output {here}/g.png --epsilon 3                                | 2 | --epsilon
plot efficiency --prevalence 2 --output {here}/g.png                          | 2 | prevalence
plot breaches --output {here}/g.png                                           | 2 | nothing to draw
verify holohan2016.lemma-1 --coq {OLD}                                        | 2 | name a folder
compose "1/2*0" --epsilon 1                                                   | 2 | epsilon
compose warner:2                                                              | 2 | an item is not read
compose {bad.json}                                                            | 2 | sum to 1
compose warner:3/4 --epsilon x                                                | 2 | epsilon
compose warner:3/4 --delta 2                                                  | 2 | delta
compose {m.json}*3 --certificate {m.json}                                     | 2 | the input itself
shuffle x --n 10 --delta 1/9                                                  | 2 | no design
shuffle {none} --n 10 --delta 1/9                                             | 2 | cannot be read
shuffle x --n 10                                                              | 2 | one of epsilon and delta
shuffle 1 --n 10 --delta 2                                                    | 2 | delta
shuffle 1 --n 10 --epsilon x                                                  | 2 | epsilon
compose {none} --waves 3                                                      | 2 | an item is not read
compose warner:3/4 --waves 3 --lifetime x                                     | 2 | epsilon
sheet                                                                         | 2 | --question
sheet {none} --question x                                                     | 2 | cannot be read
sheet {bad.json} --question x                                                 | 2 | sum to 1
sheet warner:3/4 --question x --language java                                 | 2 | language
sheet warner:3/4 --question x --form a5                                       | 2 | is unknown: received
sheet warner:3/4 --question x --for birthday                           | 2 | crosswise
sheet warner:3/4 --question x --categories a,b,c                              | 2 | do not fit
sheet warner:37/101 --question x                                              | 2 | web
sheet warner:3/4 --question x --prevalence 2                                  | 2 | prevalence
plot explorer --gamma 1                                                       | 2 | gamma
plot explorer --epsilon log(1)                                                | 2 | 0 < epsilon <= log(1000000)
plot explorer --epsilon log(1000001)                                          | 2 | 0 < epsilon <= log(1000000)
plot explorer --gamma x                                                       | 2 | gamma
compose --waves 3                                                             | 2 | neither
compose dbitflip:4,9,1 --waves 3                                              | 2 | bits is out of range
compose warner:3/4 --waves 3 --reports memo                                   | 2 | need a memo
compose warner:3/4 --waves 3 --plot {here}/a.gif                              | 2 | .png
shuffle 1 --n 10 --delta 1/9 --plot {here}/a.gif                              | 2 | .png
export warner:3/4 java                                             | 2 | is unknown: received
count {answers.csv}                                                           | 2 | --mechanism
count {none} --mechanism warner:3/4                                           | 2 | cannot be read
count {words.csv} --mechanism warner:3/4                                      | 2 | line 1
count {answers.csv} --mechanism warner:3/4 --shard ""                         | 2 | shard
count {answers.csv} --mechanism warner:3/4 --output {answers.csv}             | 2 | the file of DATA
count --add {none}                                                            | 2 | cannot be read
count --add {words.csv}                                                       | 2 | JSON
count --add {m.json}                                                          | 2 | not a file of counts
regress {none} --formula "a ~ b" --mechanism warner:3/4                       | 2 | cannot be read
regress {answers.csv} --formula a --mechanism warner:3/4                      | 2 | ANSWER ~ TERM
regress {answers.csv} --formula "a ~ b" --mechanism warner:3/4                | 2 | no column
regress {answers.csv} --formula "a ~ b" --mechanism {none}                    | 2 | cannot be read
regress {answers.csv} --formula "a ~ __import__('os')" --mechanism warner:3/4 | 2 | not allowed
regress {answers.csv} --formula "a ~ b" --mechanism warner:3/4 --confidence 2 | 2 | confidence
audit                                                                         | 2 | exactly once
audit {none} --input a --column b                                             | 2 | cannot be read
audit {answers.csv}                                                           | 2 | the columns are not named
audit {answers.csv} --input a --column b                                      | 2 | no column
audit --counts 1,2                                                            | 2 | two at least
audit --counts 1,2 --counts 3                                                 | 2 | equal length
audit --counts 1,2 --counts 2,x                                               | 2 | received 'x'
audit --counts 7,2 --counts 2,7 --confidence 2                                | 2 | confidence
audit --counts 7,2 --counts 2,7 --claim x                                     | 2 | epsilon
audit --counts 7,2 --counts 2,7 --event 9                                     | 2 | --event
audit --mechanism {none} --claim 1                                            | 2 | cannot be read
audit --command {none} --claim 1                                              | 2 | cannot be started
audit --counts 7,2 --counts 2,7 --draws 50                                   | 2 | give --command, or leave
audit --mechanism warner:3/4 --claim 1 --seed 2                               | 2 | no such argument: received --seed
design pram --proportions 1/2,1/3 --epsilon 1                                  | 2 | not a distribution
design pram --counts 3,4 --levels {none}                                      | 2 | cannot be read
survey nothing                                                                | 2 | allowed are init DATA, and show
survey                                                                        | 2 | cannot be read
survey --survey {answers.csv}                                                 | 2 | is not TOML
survey init                                                                   | 2 | has no data
survey init {none}                                                            | 2 | cannot be read
survey init {answers.csv} --survey {answers.csv}                              | 2 | --survey
survey show --output {new}                                                    | 2 | --output
plan sick --margin 0.1                                                        | 2 | no survey declares
plan --mechanism warner:3/4 --device A --margin 0.1                           | 2 | --device
sheet warner:3/4 --question Q --device A                                      | 2 | --device
estimate --yes 3 --n 9 --mechanism warner:3/4 --survey {answers.csv}          | 2 | a survey has the data
regress --formula "sick ~ age" --mechanism warner:3/4                         | 2 | has no data
nothing                                                                       | 2 | is unknown: received
--nothing | 2 | there is no such argument: received"""


def rows() -> list[tuple[list[str], int, str]]:
    """Return arguments, status and word of every row."""
    found = []
    for line in TABLE.strip().splitlines():
        command, status, word = (part.strip() for part in line.rsplit("|", 2))
        found.append((shlex.split(command), int(status), word))
    return found
