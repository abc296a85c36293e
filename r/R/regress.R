# Regressions: an object with coef, vcov, confint, logLik and summary, as of svyglm.

rr_regress <- function(formula, data, mechanism = NULL, devices = NULL, model = "logit", method = "ml", weights = NULL,
                       strata = NULL, clusters = NULL, fpc = NULL, categories = NULL, standard_errors = NULL,
                       confidence = 0.95, ...) {
  asked <- with_levels(formula, data, names(list(...)$covariate))
  words <- c(
    option("--formula", asked$text), option("--mechanism", mechanism), option("--devices", devices),
    option("--model", model), option("--method", method), option("--weights", weights), option("--strata", strata),
    option("--clusters", clusters), option("--fpc", fpc), option("--categories", categories),
    option("--standard-errors", standard_errors), option("--confidence", confidence), options_of(list(...))
  )
  answer <- with_table(data, function(path) rropt("regress", path, words))
  for (factor in asked$factors) {
    own <- Filter(function(one) startsWith(one$text, factor$start), answer$fit$covariates$factors)
    if (length(own)) answer <- renamed(answer, own[[1]]$text, factor$name)
  }
  answer$fit$formula <- asked$shown
  structure(list(answer = answer, call = match.call()), class = "rr_regress")
}

# The text of a formula. A CSV file has neither the levels of factors nor their order, so that the text names them:
# C(g, levels=["low", "high"]), which `renamed` takes back. Columns of texts that are numbers are factors too, as of lm.
with_levels <- function(formula, data, others) {
  if (!inherits(formula, "formula")) return(list(text = formula, shown = formula))
  shown <- paste(deparse(formula, width.cutoff = 500L), collapse = " ")
  levels <- if (is.data.frame(data)) lapply(data, levels_of)
  levels <- levels[!vapply(levels, is.null, NA) & !(names(levels) %in% others)]
  factors <- list()
  replaced <- function(x) {
    name <- if (is.symbol(x)) x else if (is.call(x) && length(x) == 2 && is.symbol(x[[2]]) &&
      as.character(x[[1]])[1] %in% c("C", "factor")) x[[2]]
    if (!is.null(name) && as.character(name) %in% names(levels)) {
      mark <- paste0("factor.", length(factors) + 1, ".of.formula")
      start <- paste0("C(", paste(deparse(name, backtick = TRUE), collapse = ""), ", levels=")
      factors[[mark]] <<- list(name = paste(deparse(x, backtick = TRUE), collapse = ""), start = start,
        text = paste0(start, "[", paste(quoted_levels(levels[[as.character(name)]]), collapse = ", "), "])"))
      return(as.symbol(mark))
    }
    joins <- is.call(x) && as.character(x[[1]])[1] %in% c("+", "-", "*", ":", "/", "^", "(")
    if (joins) x[-1] <- lapply(x[-1], replaced)
    x
  }
  formula[[length(formula)]] <- replaced(formula[[length(formula)]])
  text <- paste(deparse(formula, width.cutoff = 500L), collapse = " ")
  for (mark in names(factors)) text <- sub(mark, factors[[mark]]$text, text, fixed = TRUE)
  list(text = text, shown = shown, factors = factors)
}

levels_of <- function(x) {
  if (is.factor(x)) return(levels(x))
  if (!is.character(x)) return(NULL)
  given <- sort(unique(x[!is.na(x) & nzchar(x)]), method = "radix")
  if (length(given) && !anyNA(suppressWarnings(as.numeric(given)))) given
}

quoted_levels <- function(x) paste0("\"", gsub("([\\\\\"])", "\\\\\\1", x), "\"")

renamed <- function(x, from, to) {
  if (is.list(x) && !is.null(names(x))) names(x) <- gsub(from, to, names(x), fixed = TRUE)
  if (is.list(x)) lapply(x, renamed, from, to) else if (is.character(x)) gsub(from, to, x, fixed = TRUE) else x
}

coef.rr_regress <- function(object, ...) {
  rows <- object$answer$rows
  structure(vapply(rows, function(row) number(row$estimate), 0), names = vapply(rows, function(row) row$name, ""))
}

vcov.rr_regress <- function(object, kind = object$answer$fit$error_kind, ...) {
  rows <- object$answer$fit$covariances[[kind]]
  if (is.null(rows)) {
    stop("this fit has no such standard errors: ", kind, "; allowed are ",
      paste(names(object$answer$fit$covariances), collapse = ", "), call. = FALSE)
  }
  found <- do.call(rbind, lapply(rows, unlist))
  dimnames(found) <- list(names(coef(object)), names(coef(object)))
  found
}

nobs.rr_regress <- function(object, ...) object$answer$fit$n

logLik.rr_regress <- function(object, ...) {
  value <- object$answer$fit$llf
  if (is.null(value)) stop("this fit has no likelihood", call. = FALSE)
  structure(value, df = length(coef(object)), nobs = nobs(object), class = "logLik")
}

confint.rr_regress <- function(object, parm = names(coef(object)), level = NULL, ...) {
  own <- number(object$answer$confidence)
  if (is.null(level)) level <- own
  b <- coef(object)
  if (isTRUE(all.equal(level, own))) {
    found <- ends_of(object)
  } else if (!is.null(object$answer$fit$random)) {  # the interval of a standard deviation is not symmetric
    stop("these intervals have confidence ", own, ": give confidence = ", level, " to rr_regress", call. = FALSE)
  } else {
    df <- object$answer$fit$df_resid
    half <- (if (is.null(df)) qnorm(1 - (1 - level) / 2) else qt(1 - (1 - level) / 2, df)) * sqrt(diag(vcov(object)))
    found <- cbind(b - half, b + half)
  }
  dimnames(found) <- list(names(b), paste(100 * c((1 - level) / 2, 1 - (1 - level) / 2), "%"))
  found[parm, , drop = FALSE]
}

# The endpoints of the intervals of the command, missing where a coefficient has no standard error. The interval of a
# standard deviation may have no upper end.
ends_of <- function(object) {
  ends <- lapply(object$answer$rows, function(row) {
    if (!length(row$intervals)) return(c(NA_real_, NA_real_))
    vapply(row$intervals[[1]], function(end) if (is.null(end)) Inf else number(end), 0)
  })
  matrix(unlist(ends), ncol = 2, byrow = TRUE)
}

as.data.frame.rr_regress <- function(x, ...) {
  ends <- ends_of(x)
  data.frame(coefficient = names(coef(x)), estimate = unname(coef(x)), standard_error = unname(sqrt(diag(vcov(x)))),
    p = vapply(x$answer$rows, function(row) if (is.null(row$p_value)) NA_real_ else row$p_value, 0),
    low = ends[, 1], high = ends[, 2], stringsAsFactors = FALSE)
}

summary.rr_regress <- function(object, ...) structure(list(object = object), class = "summary.rr_regress")

print.summary.rr_regress <- function(x, ...) {
  object <- x$object
  t <- as.data.frame(object)
  statistic <- ifelse(t$standard_error > 0, t$estimate / t$standard_error, NA)
  table <- cbind(Estimate = t$estimate, `Std. Error` = t$standard_error, `t value` = statistic,
    `Pr(>|t|)` = t$p)
  rownames(table) <- t$coefficient
  cat(object$answer$title, ": ", object$answer$fit$formula, ", n = ", object$answer$fit$n, "\n\n", sep = "")
  printCoefmat(table)
  for (note in c(object$answer$status, unlist(object$answer$notes))) cat("\n", note, sep = "")
  cat("\n")
  invisible(x)
}

print.rr_regress <- function(x, ...) {
  print(coef(x))
  invisible(x)
}
