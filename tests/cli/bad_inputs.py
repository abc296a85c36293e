"""Bad inputs of every command, one per line: a call, and what its one line of error says, parts separated by "...".

``{m.json}`` and so on stand for files of the folder that the test makes, a name without brackets for one of them as it
is typed there; ``OLD`` is a file that must stay as it is. A refusal that several commands share stands here once:
test_wrong_inputs.py meets every option of every command.
"""

from __future__ import annotations

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
    "people.csv": "answer,attention\n1,0\n0,1\n",
    "one.csv": "3/4\n1/4\n",
    "survey.csv": "name,sick,often,region\na,Yes,never,N\nb,yes,once,S\nc,NO,often,N\nd,no,never,S\n",
    "bom.csv": "\xef\xbb\xbfname;sick;w\na;Ja;1,15\nb;Nein;2,5\nc;unsure;1,0\n",
    "repeat.csv": "name,sick\na,yes\nb,no\nname,sick\nc,yes\n",
    "refused.csv": "id,sick\n1,yes\n2,refused\n3,no\n4,\n",
    "twice.csv": "sick,sick\n0,1\n1,0\n",
    "comma.csv": "answer\nno, really\nyes\n",
    "binary.csv": "id,sick\n1,0\n2,1\n3,1\n",
    "weights.csv": "sick,w\n0,-1\n1,2\n",
    "header.csv": "sick\n",
    "empty.csv": "",
    "mechanism.json": '{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}',
    "rows.json": '{"matrix": [["0.9", "0.1"], ["0.3", "0.7"]]}',
    "rounded.json": '{"matrix": [["0.333", "0.5"], ["0.333", "0.25"], ["0.333", "0.25"]]}',
    "problem.json": '{"region": {}, "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}',
}

TABLE = r"""
estimate survey.csv --mechanism warner:3/4 |
    line 1 ... if line 1 is a header, name the column of the question (--column NAME)
estimate comma.csv --mechanism warner:3/4 | line 2 ... name the column of the question ... --column NAME
estimate survey.csv --column Sick --mechanism warner:3/4 | received 'Sick' ... did you mean 'sick'?
estimate survey.csv --column sick --mechanism warner:3/4 | lines 2, 3, 4, 5 ... allowed are 0 and 1 ... --categories
estimate survey.csv --column sick --mechanism warner:3/4 --categories no,yes |
    lines 2, 4 ... upper and lower case only ... --ignore-case
estimate survey.csv --column sick --mechanism warner:3/4 --categories yes,YES --ignore-case |
    differ in upper and lower case only ... 'yes,YES' ... --ignore-case
estimate survey.csv --columns sick,often --mechanism bits:warner:3/4,grr:3,1/2 --categories no,yes |
    received 2 names for 'often' ... 3 ... a list for each column
estimate survey.csv --columns sick,often --mechanism bits:3/4*2 --categories a,b --categories c,d --categories e,f |
    received 3 for 2 columns ... one for each column
estimate survey.csv --columns sick,often --mechanism bits:3/4*2 --categories sick=no,yes --categories sick=a,b |
    twice ... one list for each column
estimate survey.csv --column often --mechanism warner:3/4 --categories never,once,often |
    received 3 names for 'often' ... 2
estimate survey.csv --columns sick --mechanism bits:3/4*2 | received 1 names; allowed are 2 ... name them all
estimate bom.csv --column sick --categories Nein,Ja --mechanism warner:3/4 |
    line 4 ... allowed are 'Nein, Ja' ... --missing
estimate refused.csv --column sick --categories no,yes --mechanism warner:3/4 --missing NA |
    line 3 ... declare texts for no answer as missing (--missing)
estimate repeat.csv --column sick --categories no,yes --mechanism warner:3/4 |
    line 4 ... repeat the header: delete these lines
estimate twice.csv --column sick --mechanism warner:3/4 | more than one column ... has that name
estimate nothere.csv --column sick --mechanism warner:3/4 | 'nothere.csv': No such file ... name a file
estimate empty.csv --column sick --mechanism warner:3/4 |
    'empty.csv' contains no answers ... one line for each respondent
estimate header.csv --column sick --mechanism warner:3/4 |
    'header.csv' contains no answers ... one line for each respondent
estimate weights.csv --column sick --mechanism warner:3/4 --weights w |
    line 2 ... no valid weight ... allowed are 0 and numbers from 1e-120
estimate weights.csv --column sick --mechanism warner:3/4 --weights weight | 'weight' ... no column of 2
estimate binary.csv --column sick | a mechanism is required: give --mechanism, or --devices COLUMN
estimate --yes 831 --mechanism warner:3/4 | give --yes Y with --n N
estimate --yes 2435 --n 831 --mechanism warner:3/4 | yes exceeds n ... 2435 ... 831
estimate --yes 34% --n 2435 --mechanism warner:3/4 | --yes is not a count ... '34%' ... an integer
estimate --counts 10,20,30 --mechanism warner:3/4 | received 3 counts for 2 outputs ... zeros included
estimate --yes 10 --n 30 --mechanism warner:1/2 | leaves nothing to estimate
estimate --yes 10 --n 30 --mechanism warner:3/4 --confidence 95 | did you mean 95 %? write 95% or 0.95
estimate --yes 10 --n 30 --mechanism warner:75 | received 75 ... did you mean 75 %? write 75% or 0.75
estimate --yes 10 --n 30 --mechanism warner | write warner:p, for example warner:3/4
estimate --yes 10 --n 30 --mechanism Warnr:3/4 | no design has the name 'Warnr' ... warner ... rropt design list
estimate --yes 10 --n 30 --mechanism forced:0.667,0.167,0.167 |
    1001/1000 ... write the probabilities as fractions, for example 2/3,1/6,1/6
estimate --yes 10 --n 30 --mechanism forced:2/3,1/6 | takes 3 parameters: received 2 ... for example forced:2/3,1/6,1/6
estimate --yes 10 --n 30 --mechanism forced:2/3,1/6,1/6*2 | one question ... for example bits:forced:2/3,1/6,1/6*2
estimate --yes 10 --n 30 --mechanism mechansim.json | 'mechansim.json': No such file ... give the name of a file
estimate --yes 10 --n 30 --mechanism rows.json | its rows sum to 1: exchange rows and columns
estimate --yes 10 --n 30 --mechanism rounded.json | column 0 does not sum to 1 ... 999/1000 ... for example 1/3,1/3,1/3
design bits --epsilon 1 | the number of questions is missing: give --number, or a list
design bits --costs 1,1e70 --epsilon 1 | give weight 0 to questions that do not count
design binary --epsilon 1 --prevalence abc | such as "0.1", or a percentage such as "10%"
sheet warner:0.61803 --question Q | `rropt design binary --for cards` ... --form web draws in the browser
estimate --yes 10 --n 30 --mechanism warner:0,75 | '0,75' with decimal commas is '0.75'
estimate --yes 10 --n 30 --mecanism warner:3/4 | --mecanism ... did you mean --mechanism?
estimate {answers.csv} --columns a,b --mechanism bits:3/4*2 --by "" | empty list
estimate {answers.csv} --column a --mechanism warner:3/4 --fpc 1e99999999999 | too long
estimate --counts "" --mechanism warner:3/4 | counts
estimate --yes 30 --n 99 --mechanism warner:3/4 --population 999 --direct-responses 3,5 | --direct-responses
estimate --yes 30 --n 99 --mechanism warner:3/4 --population 999 --all-intervals | --all-intervals
estimate --counts 0,0 --mechanism warner:3/4 | number of responses
estimate --yes 1 --n 3 --mechanism warner:3/4 --contrast 1 | contrast
estimate --yes 3 --n 9 --mechanism warner:3/4 --survey {answers.csv} | a survey has the data
estimate --yes -1 --n 3 --mechanism warner:3/4 | --yes is not a count
estimate --yes 0 --n 0 --mechanism warner:3/4 | --n is not a count
estimate {answers.csv} --column a --mechanism warner:3/4 --device-file {m.json} | --device-file goes with --devices
estimate survey.csv --column sick --columns sick,often --mechanism warner:3/4 |
    --columns does not go with --column: received both
randomize survey.csv --mechanism warner:3/4 --simulate --seed 1 | line 1 ... --column NAME
randomize {answers.csv} --mechanism bits:3/4*2 --output-names a,b | leave them out
randomize {empty.json} --mechanism warner:3/4 | empty
randomize {answers.csv} | --mechanism
randomize {none} --mechanism warner:3/4 | cannot be read
randomize {answers.csv} --mechanism warner:3/4 --column a | no column
randomize {answers.csv} --mechanism warner:3/4 --categories a | categories
randomize {answers.csv} --mechanism warner:3/4 --output-names a,a | outputs
randomize {answers.csv} --mechanism {m.json} --output {m.json} | the input itself
plan --question sick | received '--question' ... leave it out
plan --mechanism warner:3/4 --margin 5 | received 5 ... did you mean 5 %? write 5% or 0.05
plan --mechanism warner:3/4 | a goal is required ... --margin, --power, --variance and --standard-error
plan --mechanism warner:3/4 --power 80 --prevalence 0.1 | did you mean 80 %? write 80% or 0.8
plan --mechanism warner:3/4 --margin 0.05 --power 0.8 | --power does not go with --margin: received both; leave one out
plan --epsilon 1 --margin 0.05 | give --prevalence PI, or --mechanism M
plan --minimax --epsilon 1 | --minimax goes with --n
plan --minimax --gamma 3 --n 3 --margin 0.1 | no such argument: received --margin; leave it out
plan --epsilon 1 --delta 1/9 --middle 1/9 --surveyed --prevalence 1/4 --variance 1 | --delta
plan --mechanism warner:3/4 --groups 0.1,0.2 --power 0.8 --direct | --direct
plan --mechanism warner:3/4 --margin 1e-30 | out of reach
plan --minimax --n 5 | neither a mechanism
plan --minimax --epsilon 0 --n 5 | above 0
plan --minimax --gamma 1/2 --n 5 | gamma
plan --minimax --epsilon 1 --n 301 | respondents
plan --mechanism warner:3/4 --margin 0 | margin
plan --mechanism warner:3/4 --margin x | margin
plan --mechanism warner:3/4 --power 0.9 | prevalence
plan --mechanism warner:3/4 --margin 0.1 --null 0 | null does not belong
plan --mechanism warner:3/4 --margin 0.1 --delta 1/4 | --delta
plan --mechanism warner:3/4 --standard-error 0 | standard error
plan --mechanism {m3.json} --power 0.1 | prevalence or a contrast
plan --mechanism bits:3/4*3 --power 0.9 --prevalence 1/4 | name the question
plan --mechanism bits:3/4*3 --margin 0.1 --interval exact | normal
plan --mechanism bits:3/4*3 --margin 0.1 --proportions uniform | Hoeffding
plan --mechanism bits:3/4*3 --variance 1/10 --proportions 1/2,1/2 | population
plan --mechanism bits:3/4*3 --variance 1/10 --only 0,3 | no such questions
plan --mechanism bits:3/4*3 --variance 1/10 --only 0,0 | no such questions
plan --mechanism bits:3/4*3 --variance 1/10 --only 0,1 --marginals 2 | both name
plan --mechanism bits:3/4*3 --variance 1/10 --marginals 4 | allowed is an integer from 1 to 3
plan --mechanism bits:3/4*3 --variance 1/10 --marginals 2 --n 10 | leave one
plan --mechanism bits:3/4,1/2 --variance 1/10 | number 1 of 2
plan --mechanism bits:3/4*3 --variance 1/10 --only 1 --proportions uniform | give the prevalence
plan --mechanism warner:3/4 --margin 0.1 --n 10 | several questions
plan --epsilon 1 --prevalence 1/4 --margin 0.1 --only 1 | no such questions
plan sick --margin 0.1 | no survey declares
plan --mechanism warner:3/4 --device A --margin 0.1 | --device
plan --mechanism warner:3/4 --groups 0.1 --power 0.8 | --groups is not a pair
desing binary --epsilon 1 --prevalence 0.1 | 'desing' ... did you mean design?
design binary --epsilon log2 --prevalence 0.1 | epsilon is not a number ... 'log2' ... log(q)
design binary --epsilon -1 --prevalence 0.1 | epsilon is out of range ... '-1' ... 0 <= epsilon
design binary --gamma 0.5 --prevalence 0.1 | gamma is out of range ... >= 1
design binary --epsilon 1 --prevalence 10 | did you mean 10 %? write 10% or 0.1
design binary --prevalence 0.1 | an argument is missing: received none of --epsilon --gamma --rho --beta --upper
design binary --epsilon 1 | an argument is missing: received no --prevalence
design binary --epsilon 1 --gamma 3 --prevalence 0.1 | --gamma does not go with --epsilon: received both; leave one out
design binary --epsilon 1 --delta 5 --prevalence 0.1 | did you mean 5 %? write 5% or 0.05
design binary --gamma 3 --prevalence 0.1 --report page.pdf |
    --report has no format ... ends in .pdf ... .html, .md, .tex; a browser prints HTML as PDF
design binary --epsilon 1 --delta -0.1 --prevalence 1/4 | '-0.1'; allowed is 0 <= delta <= 1
design binary --epsilon 1 --prevalence 1/4 --unknown | no such argument: received '--unknown'
design binary --epsilon 1 --prevalence 1/4 --outputs three | --outputs is unknown
design binary --epsilon 1 --prevalence 1/4..1/5 | '1/4..1/5'; allowed is LOW..HIGH
design binary --epsilon 1 --prevalence 0..1 --routes exact | --routes belongs to a single prevalence
design binary --epsilon 1 --prevalence 0..1 --certificate {here}/no/folder/c | No such file
design binary --epsilon 1 --prevalence 1/4 --delta 1e-400 | delta is too long
design binary --epsilon nan --prevalence 1/4 | epsilon
design binary --epsilon 1000 --prevalence 1/4 | epsilon
design binary --epsilon 0 --prevalence 1/4 | epsilon
design binary --gamma "" --prevalence 1/4 | gamma
design binary --epsilon 1 --delta exp(1) --prevalence 1/4 | delta
design binary --epsilon 1 --prevalence 1/0 | prevalence
design binary --epsilon 1 --prevalence 1/4 --routes magic | magic
design binary --epsilon 1 --prevalence 1/4 --n 10 --confidence 2 | confidence
design binary --rho 1/2 1/5 --prevalence 1/4 | rho
design binary --beta 1 --prevalence 1/4 | received
design binary --upper 1 --prevalence 1/4 | B(h)
design binary --rho 1/5 1/2 --delta 1/4 --prevalence 1/4 | --delta
design binary --epsilon 1,000 --prevalence 1/4 | write 1000, or 1.000
design binary --epsilon 1 --prevalence 1/4 --certificate {OLD}/c.json | Not a directory
design binary --epsilon 1 --prevalence 1/4 --certificate {loop} | symbolic links
design binary --epsilon 1 --prevalence 1/4 --certificate {OLD} --report {link} | same file
design binary --epsilon 1 --prevalence 1/4 --certificate {new} --output {here}/./new.json | same file
design binary --upper "min(1,2*p+1/10)" --prevalence 1/4 --certificate {new} --output {bound} | same file
design binary --upper "min(1,2*p+1/10)" --prevalence 1/4 --certificate {fifo} | regular file
design binary --epsilon 1 --prevalence 1e-99999999 | too long
design binary --epsilon 1 --prevalence 1/4 --certificate - | /dev/stdout is standard output
design binary --epsilon 1 --prevalence 1/4 --n 0 | --n is not a count
design binary --epsilon 1 --prevalence 1/4 --confidence 0.9 | --confidence goes with --n
design binary --epsilon 1 --prevalence 1/4 --family all --family all | --family is given more than once
design kary -k 3 --epsilon 1 --objective A-optimum | --objective is unknown ... did you mean a-optimal?
design kary -k 3 --epsilon 1 --objective c-optimal | --objective c-optimal needs --contrast
design kary --proportions 0.33,0.33,0.33 --epsilon 1 --objective a-optimal | 99/100 ... for example 1/3,1/3,1/3
design kary -k 3 --epsilon 1 --objective trace --costs 1,2 | received 2 for 3 categories; give 3 numbers
design kary --categories x --objective trace --epsilon 1 | received none of -k --proportions
design kary -k 4 --proportions 1/2,1/2 --objective trace --epsilon 1 | --proportions does not go with -k
design kary --proportions 3/2,-1/2 --objective loss:zero-one --epsilon 1 | negative entry: received -1/2
design kary --proportions a,b --objective loss:zero-one --epsilon 1 | population[0] is not a number
design kary -k 4 --objective trace --epsilon 1 --costs 1,1,1,nan | weights[3] is not a number
design kary -k 4 --objective loss:zero-one --epsilon 1 --costs 1,1,1,1 | --costs does not belong
design kary -k 4 --objective trace --levels {none} | levels file cannot be read
design kary -k 4 --objective trace --epsilon 1 --distance euclid | --distance is unknown
design kary -k 4 --objective trace --epsilon 1 --distance abs --delta 2 | did you mean 2 %
design kary --proportions 1/2,1/2 --objective trace --epsilon 1 | give the proportions as --costs
design kary -k 2 --objective a-optimal --level renyi:2,1/2 --level renyi:8,1/2 | renyi stands alone
design kary -k 2 --objective a-optimal --epsilon 1 --epsilon 1/2 | --epsilon is given more than once
design kary -k 2 --objective a-optimal --level zcdp:0 | Renyi divergences of 0 leave nothing
design kary -k 2 --objective a-optimal --level gdp:0 | allowed is 0 < mu <= 8
design kary -k 6 --objective a-optimal --level gdp:1 | 2 to 5 categories
design kary -k 2 --objective a-optimal --level gdp:1 --level zcdp:1 | zcdp stands alone
design kary --proportions 1/4..1/2,1/2..3/4 --objective a-optimal --level zcdp:1/8 | one population: received ranges
design kary --proportions 0,5,0,5 --epsilon 1 --objective a-optimal | '0,5;0,5'
design kary --epsilon 1 --proportions 1/2,1/2 --objective bayes | which no option writes
design kary -k 3 --epsilon 1 --objective loss | --objective loss
design kary -k 3 --epsilon 1 --objective loss:{none} | cannot be read
design kary -k 3 --epsilon 1 --objective loss:{words.csv} | number
design kary -k 3 --epsilon 1 --objective trace --bounds {cut.json} | JSON
design kary -k 3 --epsilon 1 --objective trace --bounds {none} | cannot be read
design kary --proportions 1/2 --epsilon 1 --objective loss:squared | --proportions
design kary -k 3 --epsilon 1 --objective loss:{OLD} --report {OLD} | the input itself
design kary -k 3 --epsilon 1 --objective a-optimal --outputs 2 | do not identify
design kary -k 3 --epsilon 1 --objective a-optimal --outputs three | outputs
design kary -k 3 --epsilon 1 --objective a-optimal --bounds 1/5..1 | add --outputs
design kary -k 3 --epsilon 1 --objective a-optimal --outputs 3 --bounds 1/2..1 | more than 1
design kary -k 2 --epsilon 1 --objective a-optimal --outputs 3 --bounds 1/4..1/5 | cross
design kary -k 3 --gamma 3..2 --objective trace | gamma
design kary -k 1 --epsilon 1 --objective trace | -k
design kary -k 4 --objective trace --epsilon 1 --levels {none} | --levels does not go with --epsilon
design kary --epsilon 1 --objective trace | an argument is missing: received no
noncompliance --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6 --theta 5 | did you mean 5 %? write 5% or 0.05
noncompliance | responses are missing
noncompliance --yes 3 --n 2 --mechanism warner:3/4 --theta 0..1/10 | yes
noncompliance people.csv --column answer --mechanism warner:3/4 --design attention | --attention COLUMN
noncompliance nofile.csv --column a --theta 0..1/10 | 'nofile.csv': No such file
report mechanism.json --output page.pdf | ends in .pdf; allowed are .html
report {levels.json} --output {here}/r.md | contains no result
report {words.csv} --output {here}/r.md | JSON
report nofile.json --output r.html | 'nofile.json': No such file
compare warner:3/4 | received one mechanism ... add another
compare warner:3/4 warner:2/3 --epsilon 1 | no such argument: received --epsilon; leave it out
compare --literature --epsilon 1 --prevalence 1/4 --nobody 3 | see rropt compare --help
compare --literature --prevalence 1/4 | --epsilon
compare --literature --epsilon 1 | --prevalence
compare --literature --gamma 1 --prevalence 1/4 | nothing
compare --literature --gamma 1/2 --prevalence 1/4 | gamma
compare --literature --epsilon 1 --prevalence 3/2 | prevalence
compare --literature --epsilon 1 --prevalence 1/4 --n 1 --surveyed | population of 1
compare --literature --epsilon 1 --prevalence 1/4 --n 9 --population 8 | N >= n
compare --literature --epsilon 1 --prevalence 1/4 --middle 1 | middle
compare --literature --epsilon 1 --prevalence 1/4 --other 1 | other
compare --literature --epsilon 1 --prevalence 1/4 --belief 2 | belief
compare --literature --epsilon 1 --prevalence 1/4 --margin 2 | margin
compare --literature --epsilon 1 --prevalence 1/4 --standard-error 0 | standard error
compare --literature --epsilon 1 --prevalence 1/4 --variance x | variance
compare --literature --epsilon 1 --prevalence 1/4 --confidence 0.9 | belongs to a margin
compare --literature --epsilon 1 --prevalence 1/4 --plot {here}/a.gif | .png
compare --literature --epsilon 1 --prevalence 1/4 --plot {here}/a.png --epsilon 1-2 | --epsilon
compare --literature --epsilon 1 --prevalence 1/4 --certificate {OLD} --plot {OLD} | same file
compare grr subset | one product
compare bits:3/4*2 warner:3/4 --marginals 1 | --marginals
compare bits:3/4*2 grr --marginals 3 | an integer from 1 to 2
compare bits:1,3/4 grr | epsilon = inf
compare bits:1/2*3 subset | epsilon = 0
compare bits:3/4*500 subset | 2^400
compare warner:3/4 {m3.json} | inputs
compare warner:3/4 {bad.json} | sum to 1
compare warner:3/4 warner:2/3 --plot {here}/order.txt | .png
compare warner:3/4 warner:2/3 --certificate {OLD} | name a folder
compare warner:3/4 {nobody} --certificate {here}/made | cannot be read
compare --admissible | one mechanism
compare --admissible {none} | cannot be read
compare --admissible warner:1 | infinite
compare --admissible warner:3/4 --gamma 2 | parity
compare --admissible warner:3/4 --epsilon 0 | 0
compare --admissible {m.json} --certificate {m.json} | the input itself
compare --admissible warner:1/2 --gamma 2 --certificate {fifo} | regular file
compare --literature --epsilon 1 --prevalence 1/4 --n 0 | --n is not a count
compare --literature --epsilon 1 --prevalence 1/4 --population 0 | --population is not a count
compare --literature --epsilon 1 --prevalence 1/4 --cards-drawn 21 | --cards-drawn
privacy --criterion --rho 1/2 1/5 | 0 < rho1 < rho2 < 1
privacy --criterion --upper 2p | '2p' ... + - * / ^
privacy --criterion --beta 2 --delta 1/10 | no such argument: received --delta; leave it out
privacy --repair warner:3/4 --gamma 2 --profile | no such argument: received --profile; leave it out
privacy christofides:1/10,3/10,6/10 --n 25 --cards-without-replacement | such as 20
privacy christofides:1 --n 3 | at least 2
privacy forced:1/2,1/3,1/6 --n 6 --cards-without-replacement | needs Christofides
privacy warner:3/4 --n 6 --others 6 | an integer from 0 to 5
privacy warner:3/4 --n 6 --belief 2 | 0 <= q <= 1
privacy warner:3/4 --n 6 --belief 1/2 --others 1 | --others does not go with --belief: received both
privacy warner:3/4 --n 6 --profile | --profile
privacy warner:3/4 --n 6 --delta 1/2 | --delta
privacy grr:3,1/2 --n 6 | one trait
privacy christofides:1/2,1/4,1/4 --n 1000 --view counts --epsilon 1/2 | 501501 states
privacy warner:3/4 --properties "" | no properties
privacy | mechanism is missing
privacy {none} | cannot be read
privacy {here} | cannot be read
privacy {cut.json} | JSON
privacy {twice.json} | twice
privacy {nan.json} | NaN
privacy {deep.json} | nested
privacy {empty.json} | empty
privacy {bytes.json} | UTF-8
privacy {short.npy} | .npy
privacy {ragged.csv} | length
privacy {words.csv} | number
privacy {no_rows.json} | list of rows
privacy {no_columns.json} | row 0
privacy {null.json} | matrix
privacy {object.json} | list of rows
privacy {booleans.json} | True
privacy {missing.json} | None
privacy {digits.json} | too long
privacy {over_zero.json} | denominator 0
privacy {deepest.json} | levels deep
privacy {lines.csv} | empty
privacy {inf.csv} | inf
privacy {huge.csv} | too long
privacy {negative.csv} | negative
privacy {quoted.csv} | entry (0, 0)
privacy {objects.npy} | .npy
privacy warner:3/4 --gamma 1e99999999 | too long
privacy warner:3/4 --epsilon "log(1e-99999999)" | too long
privacy warner:3/4 --epsilon 1e999999999999999999999 | epsilon
privacy warner:3/4 --epsilon "log(0)" | q > 0
privacy grr:0,1/2 | received 0
privacy nobody:1/2 | nobody
privacy warner | warner
privacy warner:2 | probability
privacy warner:3/4 --rho 1/5 | --rho has too few values: received 1
privacy warner:3/4 --rho 1/2 1/5 | rho
privacy warner:3/4 --upper q | upper
privacy warner:3/4 --lower p | --upper
privacy warner:3/4 --properties "0;9" | received
privacy warner:3/4 --properties "x" | properties
privacy --criterion | criterion is missing
privacy --criterion --upper "__import__('os')" | upper
privacy --criterion --upper "2*p" | upper
privacy --criterion --lower p | --upper
privacy --criterion --beta x | received
privacy --criterion --rho 1/5 1/2 {none} | cannot be read
privacy --repair {bad.json} | level is missing
privacy --repair {bad.json} --epsilon x | epsilon
privacy --repair {words.csv} --epsilon 1 | number
privacy --repair {bad.json} --epsilon 1 --output {here}/mechanism.npy | .json
privacy --criterion --upper '1/(p - 1/2)' | divides by zero inside (0, 1): at p = 1/2
privacy --criterion --upper 'piecewise(1, p < 1/2)' | not defined at p = 1/2
privacy --criterion --upper 'piecewise(1, sqrt(p) < 1/2, p)' | cannot be decided exactly
privacy --criterion --rho 1/5 1/2 nosuch:1 | nosuch
privacy --criterion --beta 1 | allowed is beta > 1
privacy --criterion --rho nan 1/2 | not a number
privacy --criterion --upper 1 --lower '2*p' | allowed is 0 <= h(p) <= p
privacy --criterion --upper p. | not allowed
privacy --criterion --upper '9^9^9^9' | exponent
privacy one.csv --rho 1/5 1/2 | at least 2 categories
privacy christofides:1/10,3/10,6/10 --n 0 | 1 to 1000000000
privacy christofides:1/10,3/10,6/10 --cards-without-replacement | --n
privacy warner:3/4 --rho 1/5 1/2 --rho 1/4 1/2 |
    --rho is given more than once: received '1/5 1/2' and '1/4 1/2'; give it
privacy warner:3/4 --epsilon 1 --beta 2 | --beta does not go with --epsilon: received both
sweep nothere.toml --output x.csv | 'nothere.toml': No such file ... give the name of a file
sweep {m.json} --output {new} | unknown key
sweep {misspelt.toml} --output {new} | did you mean 'epsilon'
sweep {twice.json} --output {new} | twice
sweep {answers.csv} --output {new} | TOML
sweep {empty.json} --output {new} | empty
sweep {grid.json} --output /dev/null | not a regular file
sweep {grid.json} --output {new} --certificate {OLD} | name a folder
sweep {grid.json} --output {new} --cluster x | dask
verify nothing | no claim matches 'nothing' ... allowed are a paper
plot groups mechanism.json --output g.svg | no estimates by group ... the JSON that rropt estimate prints
plot breaches --gamma 1 --output {here}/p.svg | a bound of the Bayes factors is out of range
plot explorer --epsilon 1e-9 --output {here}/p.html | 0 < epsilon <= log(1000000)
plot margin warner:0,75 --prevalence 10% --json | '0.75'
plot g --output {here}/g.txt | .png
plot g --output {here}/g.png --size huge | huge
plot g --output {here}/g.png --values 1/4,2 | level of g is out of range: received '2'
plot g --output {here}/g.png --epsilon 3 | --epsilon
plot efficiency --prevalence 2 --output {here}/g.png | prevalence
plot breaches --output {here}/g.png | nothing to draw
plot explorer --gamma 1 | gamma
plot explorer --gamma x | gamma
plot power warner:3/4 --prevalence 1/4 --n 0..2 --output g.svg | --n[0] is not a count
compose warner:3/4 --waves 3 --points 4 | no such argument: received --points; leave it out
compose 1/2 --epsilon log(0) | needs a rational q > 0
compose "1/2*0" --epsilon 1 | epsilon
compose warner:2 | an item is not read
compose {bad.json} | sum to 1
compose warner:3/4 --epsilon x | epsilon
compose warner:3/4 --delta 2 | delta
compose {none} --waves 3 | an item is not read
compose warner:3/4 --waves 3 --lifetime x | epsilon
compose --waves 3 | neither
compose dbitflip:4,9,1 --waves 3 | bits is out of range
compose warner:3/4 --waves 3 --reports memo | need a memo
compose warner:3/4 --waves 3 --plot {here}/a.gif | .png
compose --questions nofile.csv | 'nofile.csv': No such file
compose warner:3/4 --epsilon 1 --plot - | /dev/stdout is standard output
count --add part.json --shard a | no such argument: received --shard; leave it out
count {answers.csv} | --mechanism
count {none} --mechanism warner:3/4 | cannot be read
count {words.csv} --mechanism warner:3/4 | line 1
count {answers.csv} --mechanism warner:3/4 --shard "" | shard
count --add {none} | cannot be read
count --add {words.csv} | JSON
count --add {m.json} | not a file of counts
sheet --deal --deck 1,2 --title x | no such argument: received --title; leave it out
sheet --deal | not given exactly once
sheet --deal --deck 8,8,16 --n 32 | --n
sheet --deal --deck 8,-8,16 | --deck
sheet --deal --deck 8 | no deck
sheet --deal --deck 8,8,8 | nothing
sheet --deal --deck 0,0 | no deck
sheet --deal --deck 1000000,1 | too large
sheet --deal christofides:1/4,1/4,1/2 | --n
sheet --deal christofides:1/4,1/4,1/2 --n 33 | whole cards
sheet --deal unrelated:1/2,1/12 --n 32 | needs Christofides
sheet --deal --deck 1,1,2 --people {answers.csv} | names do not name
sheet --deal --deck 1,2 --people {none} | cannot be read
sheet --deal --deck 6000,6001 --print {here}/p.html | too many
sheet | --question
sheet {none} --question x | cannot be read
sheet {bad.json} --question x | sum to 1
sheet warner:3/4 --question x --language java | language
sheet warner:3/4 --question x --form a5 | is unknown: received
sheet warner:3/4 --question x --for birthday | crosswise
sheet warner:3/4 --question x --categories a,b,c | do not fit
sheet warner:37/101 --question x | web
sheet warner:3/4 --question x --prevalence 2 | prevalence
sheet warner:3/4 --question Q --device A | --device
design | an argument is missing: received no
design ternary | is unknown: received
design bits --epsilon 1 --number 257 | --number
design bits --epsilon 0 --number 2 | nothing to estimate
design bits --epsilon 1 --delta 1/10 --number 2 | --delta
design bits --epsilon 1 --number 2 --costs 1,2,3 | weights
design bits --epsilon 1 --costs 1,-2 | weight 1
design bits --epsilon 1 --costs 1,,2 | weight 1
design bits --epsilon 1 --costs 0,0 | all 0
design bits --epsilon 1 --costs "" | empty list
design bits --epsilon 1 --prevalences 1/2,3/2 | prevalence 1
design bits --epsilon 1 --costs 1,2 --objective joint | marginals
design bits --epsilon 1 --costs 1,2 --routes closed-form | closed-form
design bits --epsilon 1 --number 2 --routes magic | magic
design bits --epsilon 1 --number 0 | an integer from 1 to 256
check {none} | cannot read
check {here} | cannot read
check "" | cannot read
regress {answers.csv} --formula a~b --mechanism warner:3/4 --covariate =grr:2,1 | --covariate is not COLUMN=MEC
regress {none} --formula "a ~ b" --mechanism warner:3/4 | cannot be read
regress {answers.csv} --formula a --mechanism warner:3/4 | ANSWER ~ TERM
regress {answers.csv} --formula "a ~ b" --mechanism warner:3/4 | no column
regress {answers.csv} --formula "a ~ b" --mechanism {none} | cannot be read
regress {answers.csv} --formula "a ~ __import__('os')" --mechanism warner:3/4 | not allowed
regress {answers.csv} --formula "a ~ b" --mechanism warner:3/4 --confidence 2 | confidence
regress --formula "sick ~ age" --mechanism warner:3/4 | has no data
laplace | --epsilon
laplace --epsilon 0 | 0 < epsilon
laplace --epsilon -1 | epsilon
laplace --epsilon inf | epsilon
laplace --epsilon 1 sensitivity:0 | public
laplace --epsilon 1 sensitivity:inf | infinite
laplace --epsilon 1 sensitivity:1/2 | grid
laplace --epsilon 1 sum:5 | LOW,HIGH
laplace --epsilon 1 sum:5,5 | low < high
laplace --epsilon 1 sum:0,inf | infinite
laplace --epsilon 1 histogram:1 | histogram:K
laplace --epsilon 1 sensitivity | sensitivity:D
laplace --epsilon 1 sensitivity:1,0 | sensitivity:D,K
laplace --epsilon 1 --step 0 | step
laplace --epsilon 1 --confidence 1 | confidence
laplace --epsilon 1 --threshold x | threshold
laplace --epsilon 1 --at x | epsilon
laplace --epsilon 1 --release 1,2 | one of each
laplace --epsilon 1 --release "" | not shown
laplace --epsilon 1 --release 8312.5 | not shown
laplace --epsilon "log(1.00001)" --release 1 | rational epsilon
design list all | there is no such argument: received
shuffle x --n 10 --delta 1/9 | no design
shuffle {none} --n 10 --delta 1/9 | cannot be read
shuffle x --n 10 | one of epsilon and delta
shuffle 1 --n 10 --delta 2 | delta
shuffle 1 --n 10 --epsilon x | epsilon
shuffle 1 --n 10 --delta 1/9 --plot {here}/a.gif | .png
export warner:3/4 java | is unknown: received
audit | exactly once
audit {none} --input a --column b | cannot be read
audit {answers.csv} | the columns are not named
audit {answers.csv} --input a --column b | no column
audit --counts 1,2 | two at least
audit --counts 1,2 --counts 3 | equal length
audit --counts 1,2 --counts 2,x | received 'x'
audit --counts 7,2 --counts 2,7 --confidence 2 | confidence
audit --counts 7,2 --counts 2,7 --claim x | epsilon
audit --counts 7,2 --counts 2,7 --event '' | --event is an empty list
audit --counts 7,2 --counts 2,7 --event 9 | --event
audit --mechanism {none} --claim 1 | cannot be read
audit --command {none} --claim 1 | cannot be started
audit --counts 7,2 --counts 2,7 --draws 50 | give --command, or leave
audit --mechanism warner:3/4 --claim 1 --seed 2 | no such argument: received --seed
design pram --proportions 1/2,1/3 --epsilon 1 | not a distribution
design pram --counts 3,4 --levels {none} | cannot be read
survey nothing | allowed are init DATA, and show
survey | no survey.toml here ... rropt survey init DATA
survey --survey {answers.csv} | is not TOML
survey init | has no data
survey init {none} | cannot be read
survey init {answers.csv} --survey {answers.csv} | --survey
survey show --output {new} | --output
nothing | is unknown: received
--nothing | there is no such argument: received
"""


def rows() -> list[tuple[str, str]]:
    """Return the call and the words of every row; the words of a long one stand on a line of their own."""
    lines = TABLE.strip().replace("|\n    ", "| ").splitlines()
    return [(call.strip(), words.strip()) for call, _, words in (line.rpartition("|") for line in lines)]
