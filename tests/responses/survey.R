# Complex surveys of debiased answers by the package `survey`: what weighted estimates are held against.
#   Rscript survey.R export FOLDER   samples of the api data to FOLDER/SAMPLE.csv
#   Rscript survey.R FOLDER          figures of FOLDER/cases.csv to FOLDER/figures.csv
suppressMessages(library(survey))
arguments <- commandArgs(TRUE)
exact <- function(x) sprintf("%.17g", x)

if (arguments[1] == "export") {
  data(api)
  samples <- list(apistrat = apistrat, apiclus1 = apiclus1, apiclus2 = apiclus2)
  population <- data.frame(stype = c("E", "H", "M"), Freq = c(4421, 755, 1018))
  for (name in names(samples)) {
    d <- samples[[name]]
    if (is.null(d$fpc)) d$fpc <- d$fpc1
    d$fpc2 <- if (is.null(d$fpc2)) 1 else as.vector(d$fpc2)
    whole <- svydesign(id = if (name == "apistrat") ~1 else ~dnum, weights = ~pw, data = d)
    d$post <- exact(weights(postStratify(whole, ~stype, population)))
    d$pw <- exact(d$pw)
    kept <- c("stype", "cnum", "dnum", "pw", "post", "fpc", "fpc2", "sch.wide", "awards", "comp.imp")
    write.csv(d[, kept], file.path(arguments[2], paste0(name, ".csv")), row.names = FALSE)
  }
} else {
  folder <- arguments[1]
  cases <- read.csv(file.path(folder, "cases.csv"), colClasses = "character")
  found <- NULL
  for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    d <- read.csv(file.path(folder, paste0(case$sample, ".csv")))
    population <- data.frame(stype = c("E", "H", "M"), Freq = c(4421, 755, 1018))
    options(survey.lonely.psu = if (case$lonely == "refuse") "fail" else case$lonely)
    design <- eval(parse(text = case$design))
    groups <- if (case$by == "") "all" else sort(unique(d[[case$by]]))
    for (z in strsplit(case$columns, " ")[[1]]) for (group in groups) {
      inside <- !is.na(design$variables[[z]])
      if (case$by != "") inside <- inside & design$variables[[case$by]] == group
      part <- if (all(inside)) design else design[inside, ]
      if (!all(inside)) part$variables[[z]][is.na(part$variables[[z]])] <- 0
      formula <- as.formula(paste0("~", z))
      mean <- svymean(formula, part, deff = "replace")
      total <- svytotal(formula, part)
      freedom <- degf(part)
      ends <- confint(mean, df = freedom)
      numbers <- c(coef(mean), vcov(mean), coef(total), vcov(total), deff(mean), freedom, ends)
      found <- rbind(found, c(case$name, z, as.character(group), exact(as.numeric(numbers))))
    }
  }
  colnames(found) <- c("case", "column", "group", "mean", "variance", "total", "total_variance", "deff", "df", "lower", "upper")
  write.csv(found, file.path(folder, "figures.csv"), row.names = FALSE, quote = FALSE)
}
