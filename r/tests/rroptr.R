# Run where the command rropt is installed; elsewhere they say why they are not.
library(rroptr)
if (!rropt_available()) {
  cat("not tested: the command rropt is not in the PATH\n")
} else {
  close <- function(a, b, tolerance) stopifnot(isTRUE(all.equal(unname(a), unname(b), tolerance = tolerance)))

  nigeria <- rr_estimate("forced:2/3,1/6,1/6", yes = 831, n = 2435)
  close(coef(nigeria), 0.26190965, 1e-6)
  close(as.numeric(sqrt(vcov(nigeria))), 0.014412705, 1e-6)
  stopifnot(nigeria$table$low < nigeria$table$estimate, nigeria$table$estimate < nigeria$table$high)

  set.seed(1)
  n <- 600
  d <- data.frame(x = round(rnorm(n), 3), region = sample(c("a", "b"), n, TRUE), w = runif(n, 1, 2),
    cluster = rep(1:30, 20))
  truth <- runif(n) < plogis(-0.5 + d$x)
  d$z <- as.integer(ifelse(runif(n) < 2 / 3, truth, runif(n) < 0.5))
  groups <- rr_estimate("forced:2/3,1/6,1/6", d, "z", by = "region")
  stopifnot(identical(groups$table$group, c("a", "b")), nrow(as.data.frame(groups)) == 2)

  # an interval without a possible prevalence: of counts, categories, groups and weighted estimates
  d$few <- as.integer(seq_len(n) %% 12 == 0)
  d$all <- 1 - d$few
  options(width = 200)
  die <- "forced:2/3,1/6,1/6"
  for (found in list(rr_estimate(die, yes = 10, n = 243), rr_estimate(die, yes = 240, n = 243),
    rr_estimate("grr:3,1/2", counts = c(500, 3, 3)), rr_estimate(die, d, "few", by = "region"),
    rr_estimate(die, d, "few", weights = "w"), rr_estimate(die, d, "all", weights = "w", by = "region"))) {
    outside <- found$table$estimate < 0 | found$table$estimate > 1
    stopifnot(any(outside), identical(found$table$empty, outside), is.na(found$table$low) == outside,
      is.na(confint(found)[, "high"]) == outside)
    printed <- capture.output(print(found))
    rows <- seq_len(nrow(found$table)) + 1
    stopifnot(grepl("none: no possible prevalence fits these responses", printed[rows], fixed = TRUE) == outside,
      !grepl("0 to 0( |$)|1 to 1( |$)", printed[rows]), any(grepl("^remark: .*none: no possible", printed)))
  }
  inside <- rr_estimate(die, yes = 38, n = 243) # the estimate is below 0, the interval is not empty
  stopifnot(inside$table$estimate < 0, !inside$table$empty, inside$table$low == 0, inside$table$high > 0)

  # covariances of multinomial counts; numbers that R writes as 1e+05; the arguments of confint
  three <- rr_estimate("grr:3,1/2", counts = c(50, 30, 20) * 10000)
  inverse <- solve(matrix(1 / 4, 3, 3) + diag(1 / 4, 3))
  observed <- c(5, 3, 2) / 10
  close(vcov(three), inverse %*% (diag(observed) - outer(observed, observed)) %*% t(inverse) / 1e6, 1e-12)
  many <- vcov(rr_estimate("grr:40,1/2", counts = rep(100, 40)))  # written as floats
  close(many[1, 2], many[39, 40], 1e-12)
  close(colSums(many), rep(0, 40), 1e-8)
  stopifnot(many[1, 2] < 0)
  groups <- vcov(rr_estimate("grr:3,1/2", data.frame(q = 0:2, g = rep(c("a", "b"), each = 6)), "q", by = "g"))
  inside <- inverse %*% (diag(3) / 3 - 1 / 9) %*% t(inverse) / 6  # 2 of 6 in each category of each group
  close(groups, kronecker(diag(2), inside), 1e-12)
  clustered <- vcov(rr_estimate(die, d, "z", by = "region", weights = "w", clusters = "cluster"))
  scores <- sapply(c("a", "b"), function(g) {  # linearized ratios of the unbiased responses, summed in each cluster
    own <- d$w * (d$region == g)
    z <- 1.5 * (d$z - 1 / 6)
    tapply(own * (z - sum(own * z) / sum(own)) / sum(own), d$cluster, sum)
  })
  close(clustered, 30 / 29 * crossprod(scores), 1e-10)
  stopifnot(abs(clustered[1, 2]) > 0)
  stopifnot(identical(rownames(confint(three, 2)), "1"), dim(confint(three, level = 0.95)) == c(3, 2),
    inherits(try(confint(three, level = 0.9), silent = TRUE), "try-error"),
    inherits(try(rr_plan("warner:3/4", 0.05, n = 9), silent = TRUE), "try-error"),
    identical(rropt("estimate", list("--yes", 4e5, "--n", 1e6, list("--mechanism", "warner:3/4")))$rows[[1]]$n, 1000000L),
    identical(rr_privacy("generalised:1,1/4")$epsilon, Inf))
  usual <- options(OutDec = ",")
  lists <- rr_plan("grr:3,1/2", contrast = c(1, -1, 0), proportions = c(0.5, 0.25, 0.25), margin = 0.05)
  stopifnot(identical(lists$n, 16807L))
  options(usual)

  # names, numbers and orders that a CSV file does not keep by itself; further options; rows of errors
  few <- data.frame(z = rep(c(0, 1, 1), 4), code = rep(c(100000, 250000), 6), `p,q` = rep(1:2, each = 6),
    text = rep(c("no", "yes, often", "yes, often"), 4), check.names = FALSE)
  few$g <- factor(rep(c("low", "high"), each = 6), levels = c("low", "high", "unused"))
  few$i <- factor(rep(c(3, 10, 3), 4), levels = c(10, 3))
  warner <- "warner:3/4"
  stopifnot(identical(rr_estimate(warner, few, "z", by = "code")$table$group, c("100000", "250000")),
    identical(rr_estimate(warner, few, "z", by = "p,q")$table$group, c("1", "2")),
    identical(rr_estimate(warner, few, "text", categories = c("no", "yes, often"))$table$category, "yes, often"),
    identical(rr_estimate(warner, few, "z", where = "code = 100000")$table$n, 6L),
    identical(rr_estimate("grr:3,1/2", counts = c(5, 3, 3), contrast = c(-1, 1, 0))$table$name, "contrast -1,1,0"),
    identical(rroptr:::decimals(c(1e5, 0.1, 1 / 3, NA, -2, 1e-7, 2^53 - 1)),
      c("100000", "0.1", "0.33333333333333331", NA, "-2", "1e-07", "9007199254740991")),
    identical(rroptr:::option("--missing", c("no answer", "9")), c("--missing", "no answer", "9")),
    identical(rroptr:::option("--devices", c(a = "warner:3/4", b = "direct")),
      c("--devices=a=warner:3/4", "--devices=b=direct")),
    identical(rroptr:::option("--recode", c(age = "0..17, 18..", sex = "d, x -> f")),
      c("--recode=age: 0..17, 18..", "--recode=sex: d, x -> f")),
    identical(rroptr:::option("--categories", list(q = c("no", "yes, often"), r = 0:1)),
      c("--categories=q=no,\"yes, often\"", "--categories=r=0,1")),
    identical(rroptr:::options_of(list(unweighted = TRUE, joint = FALSE, single_psu = "adjust")),
      c("--unweighted", "--single-psu=adjust")))
  both <- rr_estimate(warner, few, "z", by = c("g", "i"), weights = "p,q")  # groups in the order of the levels
  stopifnot(identical(both$table$group, c("low, 10", "low, 3", "high, 10", "high, 3")),
    identical(rownames(vcov(both)), both$table$group), abs(vcov(both)[1, 2]) < 1e-15, !is.na(diag(vcov(both))),
    length(both$answer$overall) == 1)
  everybody <- rr_estimate(warner, few, "z", weights = "p,q")
  close(rroptr:::number(both$answer$overall[[1]]$estimate), coef(everybody), 1e-12)
  close(both$answer$overall[[1]]$se, everybody$table$standard_error, 1e-12)
  slope <- function(formula) coef(rr_regress(formula, few, warner, model = "linear"))
  means <- tapply(2 * few$z - 0.5, few$g, mean)  # the unbiased response of warner:3/4 is 2 z - 1/2
  close(slope(z ~ g), c(means["low"], means["high"] - means["low"]), 1e-12)
  stopifnot(identical(names(slope(z ~ g)), c("Intercept", "g[T.high]")),
    identical(names(slope(z ~ factor(g) + i)), c("Intercept", "factor(g)[T.high]", "i[T.3]")),
    identical(rr_regress(z ~ g, few, warner, model = "linear")$answer$fit$formula, "z ~ g"))
  message_of <- function(...) tryCatch(rr_estimate(warner, ...), error = conditionMessage)
  lines <- rroptr:::rows_of_lines("lines 2, 13 of the data: no 'line 4'; strata begin in line 5")
  stopifnot(identical(lines, "rows 1, 12 of the data: no 'line 4'; strata begin in row 4"))
  negative <- data.frame(z = c(0, 1, 1), w = c(1, -1, 2))
  stopifnot(startsWith(message_of(negative, "z", weights = "w"), "row 2 of the data"),
    grepl("the data frame contains no answers", message_of(data.frame(z = numeric()), "z"), fixed = TRUE),
    grepl("column z", message_of(data.frame(z = I(list(1, 2))), "z"), fixed = TRUE))
  refuted <- tryCatch(rr_noncompliance(die, 10, 2435, 0.05), warning = conditionMessage)
  stopifnot(grepl("the model is refuted", refuted, fixed = TRUE))

  # the rows have the names of the categories
  names <- c("never", "once", "often")
  d$use <- names[1 + seq_len(n) %% 3]
  d$sick <- c("healthy", "sick")[1 + d$z]
  category <- function(...) rr_estimate(..., data = d)$table$category
  stopifnot(identical(category("grr:3,1/2", column = "use", categories = names), names),
    identical(category("grr:3,1/2", column = "use", categories = "use=never,once,often"), names),
    identical(category(die, column = "sick", categories = c("healthy", "sick")), "sick"),
    identical(unique(category("grr:3,1/2", column = "use", categories = names, by = "region")), names),
    identical(nigeria$table$name, "the trait"),
    identical(rr_estimate("grr:3,1/2", counts = c(5, 3, 3))$table$category, paste(0:2)))

  fit <- rr_regress(z ~ x + region, d, "forced:2/3,1/6,1/6")
  likelihood <- function(b) {
    p <- 1 / 6 + 2 / 3 * plogis(b[1] + b[2] * d$x + b[3] * (d$region == "b"))
    -sum(dbinom(d$z, 1, p, log = TRUE))
  }
  own <- optim(c(-0.5, 1, 0), likelihood, method = "BFGS", hessian = TRUE, control = list(reltol = 1e-14))
  close(coef(fit), own$par, 1e-4)
  close(as.numeric(logLik(fit)), -own$value, 1e-8)
  close(vcov(fit), solve(own$hessian), 1e-3)
  stopifnot(nrow(as.data.frame(fit)) == 3, nobs(fit) == n)
  close(confint(fit), coef(fit) + outer(sqrt(diag(vcov(fit))), qnorm(c(0.025, 0.975))), 1e-9)
  close(as.vector(confint(fit, "x", level = 0.9)), coef(fit)["x"] + sqrt(vcov(fit)[2, 2]) * qnorm(c(0.05, 0.95)), 1e-9)
  mixed <- rr_regress(z ~ x, d, "forced:2/3,1/6,1/6", random = "cluster")
  stopifnot(confint(mixed)["sigma(cluster)", 1] >= 0,
    inherits(try(confint(mixed, level = 0.9), silent = TRUE), "try-error"))
  print(summary(fit))
  stopifnot(identical(fit$answer$formula, "z ~ x + region"))
  same <- capture.output(print(summary(rr_regress(y ~ x, data.frame(y = 1, x = rep(0:2, 10)), "warner:3/4",
    model = "linear"))))
  stopifnot(!any(grepl("Inf", same)))  # no t value without a standard error
  if (requireNamespace("survey", quietly = TRUE)) {
    weighted <- rr_regress(z ~ x, d, "forced:2/3,1/6,1/6", weights = "w", clusters = "cluster",
      standard_errors = "design:expected")
    base <- make.link("logit")
    link <- structure(list(linkfun = function(mu) base$linkfun(pmin(pmax((mu - 1 / 6) * 1.5, 0.02), 0.98)),
      linkinv = function(eta) 1 / 6 + 2 / 3 * base$linkinv(eta), mu.eta = function(eta) 2 / 3 * base$mu.eta(eta),
      valideta = function(eta) TRUE, name = "forced"), class = "link-glm")
    design <- survey::svydesign(ids = ~cluster, weights = ~w, data = d)
    known <- suppressWarnings(survey::svyglm(z ~ x, design, family = quasibinomial(link), start = c(0, 0),
      control = glm.control(epsilon = 1e-14, maxit = 100)))
    close(coef(weighted), coef(known), 1e-6)
    close(vcov(weighted), vcov(known), 1e-5)
  }
  stopifnot(rr_plan("forced:2/3,1/6,1/6", margin = 0.05, prevalence = "1/4", direct = TRUE)$n == c(797, 307))
  stopifnot(rr_plan("forced:2/3,1/6,1/6", variance = "1/10000")$n == rr_plan("forced:2/3,1/6,1/6", se = 0.01)$n)
  given <- rr_plan("warner:3/4", n = 1000, prevalence = "1/10", direct = TRUE)  # l = 3/10, slope 1/2
  stopifnot(all.equal(given$standard_error, sqrt(c(0.3 * 0.7 * 4, 0.1 * 0.9) / 1000)))
  stopifnot(abs(rr_privacy("forced:2/3,1/6,1/6")$parity - 5) < 1e-12)
  bounds <- rr_noncompliance("forced:2/3,1/6,1/6", 831, 2435, 0.05)
  stopifnot(bounds["lower"] < 0.262, 0.262 < bounds["upper"])
  refused <- tryCatch(rr_estimate("forced:2,1", yes = 1, n = 2), error = conditionMessage)
  stopifnot(is.character(refused), !grepl("\n", refused))
}
