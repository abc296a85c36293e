# Regressions: an object with coef, vcov, confint, logLik and summary, as of svyglm.

rr_regress <- function(formula, data, mechanism = NULL, devices = NULL, model = "logit", method = "ml", weights = NULL,
                       strata = NULL, clusters = NULL, fpc = NULL, categories = NULL, standard_errors = NULL,
                       information = NULL, confidence = 0.95) {
  text <- if (inherits(formula, "formula")) paste(deparse(formula, width.cutoff = 500L), collapse = " ") else formula
  words <- c(
    "--formula", text, option("--mechanism", mechanism), option("--devices", devices), "--model", model,
    "--method", method, option("--weights", weights), option("--strata", strata), option("--clusters", clusters),
    option("--fpc", fpc), option("--categories", categories), option("--standard-errors", standard_errors),
    option("--information", information), option("--confidence", confidence)
  )
  answer <- with_table(data, function(path) rropt("regress", path, words))
  structure(list(answer = answer, call = match.call()), class = "rr_regress")
}

coef.rr_regress <- function(object, ...) unlist(object$answer$coefficients)

vcov.rr_regress <- function(object, kind = object$answer$error_kind, ...) {
  rows <- object$answer$covariances[[kind]]
  if (is.null(rows)) {
    stop("this fit has no such standard errors: ", kind, "; allowed are ",
      paste(names(object$answer$covariances), collapse = ", "), call. = FALSE)
  }
  found <- do.call(rbind, lapply(rows, unlist))
  dimnames(found) <- list(names(coef(object)), names(coef(object)))
  found
}

nobs.rr_regress <- function(object, ...) object$answer$n

logLik.rr_regress <- function(object, ...) {
  value <- object$answer$loglik
  if (is.null(value)) stop("this fit has no likelihood", call. = FALSE)
  structure(value, df = length(coef(object)), nobs = nobs(object), class = "logLik")
}

confint.rr_regress <- function(object, parm = names(coef(object)), level = 0.95, ...) {
  b <- coef(object)
  se <- sqrt(diag(vcov(object)))
  df <- object$answer$degrees_of_freedom
  half <- (if (is.null(df)) qnorm(1 - (1 - level) / 2) else qt(1 - (1 - level) / 2, df)) * se
  found <- cbind(b - half, b + half)
  dimnames(found) <- list(names(b), paste(100 * c((1 - level) / 2, 1 - (1 - level) / 2), "%"))
  found[parm, , drop = FALSE]
}

as.data.frame.rr_regress <- function(x, ...) {
  se <- sqrt(diag(vcov(x)))
  data.frame(term = names(coef(x)), estimate = unname(coef(x)), std.error = unname(se),
    p.value = as.numeric(unlist(x$answer$pvalues)), stringsAsFactors = FALSE)
}

summary.rr_regress <- function(object, ...) structure(list(object = object), class = "summary.rr_regress")

print.summary.rr_regress <- function(x, ...) {
  object <- x$object
  t <- as.data.frame(object)
  statistic <- ifelse(t$std.error > 0, t$estimate / t$std.error, NA)
  table <- cbind(Estimate = t$estimate, `Std. Error` = t$std.error, `t value` = statistic,
    `Pr(>|t|)` = t$p.value)
  rownames(table) <- t$term
  cat(object$answer$title, ": ", object$answer$formula, ", n = ", object$answer$n, "\n\n", sep = "")
  printCoefmat(table)
  for (note in c(object$answer$status, unlist(object$answer$notes))) cat("\n", note, sep = "")
  cat("\n")
  invisible(x)
}

print.rr_regress <- function(x, ...) {
  print(coef(x))
  invisible(x)
}
