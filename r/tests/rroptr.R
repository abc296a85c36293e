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

  formulaic <- !inherits(try(fit <- rr_regress(z ~ x + region, d, "forced:2/3,1/6,1/6"), silent = TRUE), "try-error")
  if (formulaic) {
    likelihood <- function(b) {
      p <- 1 / 6 + 2 / 3 * plogis(b[1] + b[2] * d$x + b[3] * (d$region == "b"))
      -sum(dbinom(d$z, 1, p, log = TRUE))
    }
    own <- optim(c(-0.5, 1, 0), likelihood, method = "BFGS", hessian = TRUE, control = list(reltol = 1e-14))
    close(coef(fit), own$par, 1e-4)
    close(as.numeric(logLik(fit)), -own$value, 1e-8)
    close(vcov(fit), solve(own$hessian), 1e-3)
    stopifnot(nrow(as.data.frame(fit)) == 3, nobs(fit) == n)
    print(summary(fit))
    if (requireNamespace("survey", quietly = TRUE)) {
      weighted <- rr_regress(z ~ x, d, "forced:2/3,1/6,1/6", weights = "w", clusters = "cluster",
        information = "expected")
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
  } else {
    cat("regressions are not tested: the extra rropt[regression] is not installed\n")
  }
  stopifnot(rr_plan("forced:2/3,1/6,1/6", margin = 0.05, prevalence = "1/4", direct = TRUE)$n == c(797, 307))
  stopifnot(abs(rr_privacy("forced:2/3,1/6,1/6")$parity - 5) < 1e-12)
  bounds <- rr_noncompliance("forced:2/3,1/6,1/6", 831, 2435, 0.05)
  stopifnot(bounds["lower"] < 0.262, 0.262 < bounds["upper"])
  refused <- tryCatch(rr_estimate("forced:2,1", yes = 1, n = 2), error = conditionMessage)
  stopifnot(is.character(refused), !grepl("\n", refused))
}
