# Complex surveys of debiased answers by the package `survey`: what weighted estimates are held against.
#   Rscript survey.R export FOLDER   samples of the api data to FOLDER/SAMPLE.csv
#   Rscript survey.R FOLDER          figures of FOLDER/cases.csv to FOLDER/figures.csv
#   Rscript survey.R random FOLDER   figures of the surveys of FOLDER/rows.csv to FOLDER/figures.csv, svyciprop included
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
} else if (arguments[1] == "random") {
  # one line of cases.csv for each survey; ones are written where a column has no meaning
  folder <- arguments[2]
  cases <- read.csv(file.path(folder, "cases.csv"), colClasses = "character")
  rows <- read.csv(file.path(folder, "rows.csv"))
  methods <- c("logit", "xlogit", "likelihood", "asin", "beta", "mean")
  found <- NULL
  for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    d <- rows[rows$survey == case$survey, ]
    d$row <- seq_len(nrow(d))
    options(survey.lonely.psu = if (case$lonely == "refuse") "fail" else case$lonely)
    ids <- list(rows = ~row, clusters = ~cluster, stages = ~cluster + row)[[case$stages]]
    given <- list(ids = ids, data = d, nest = TRUE)
    if (case$strata == "yes") given$strata <- ~stratum
    if (case$weights == "yes") given$weights <- ~w
    if (case$fpc != "none") given$fpc <- if (case$stages == "stages") ~fpc + within else ~fpc
    design <- suppressWarnings(do.call(svydesign, given))
    for (group in c("all", sort(unique(d$g)))) {
      inside <- if (group == "all") rep(TRUE, nrow(d)) else d$g == group
      part <- design[inside, ]
      mean <- svymean(~z, part)
      total <- svytotal(~z, part)
      numbers <- c(coef(mean), vcov(mean), coef(total), vcov(total), degf(part))
      for (method in methods) {
        ends <- tryCatch(suppressWarnings(as.numeric(confint(svyciprop(~y, part, method = method)))), error = function(e) c(NA, NA))
        numbers <- c(numbers, ends)
      }
      found <- rbind(found, c(case$survey, group, sprintf("%.15g", as.numeric(numbers))))
    }
  }
  ends <- paste(rep(methods, each = 2), c("lower", "upper"), sep = "_")
  colnames(found) <- c("survey", "group", "mean", "variance", "total", "total_variance", "df", ends)
  write.csv(found, file.path(folder, "figures.csv"), row.names = FALSE, quote = FALSE)
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
