# Plans, privacy and non-compliance: lists and data frames of what the command answers.

rr_plan <- function(mechanism = NULL, ..., direct = FALSE) {
  given <- list(...)
  if (!is.null(given$variance)) given$se <- paste0("sqrt(", word(given$variance), ")")
  given$variance <- NULL
  kind <- intersect(c("power", "se", "margin"), names(given))[1]
  if (is.na(kind)) kind <- "margin"
  goal <- if (!is.null(given[[kind]])) word(given[[kind]])
  given[[kind]] <- NULL
  words <- options_of(given)
  answer <- rropt("plan", kind, goal, option("--mechanism", mechanism), words, if (direct) "--direct")
  found <- data.frame(question = c("randomized", if (direct) "direct"),
    n = c(answer$n, if (direct) answer$direct$n), stringsAsFactors = FALSE)
  found$standard_error <- c(answer$standard_error, if (direct) answer$direct$standard_error)  # of a given n; else no column
  found
}

rr_privacy <- function(mechanism) {
  answer <- rropt("privacy", mechanism)
  epsilon <- answer$decimals$epsilon
  list(parity = number(answer$parity), epsilon = if (is.null(epsilon)) number(answer$epsilon) else epsilon,
    exact = answer$epsilon)
}

rr_noncompliance <- function(mechanism, yes, n, theta, ...) {
  answer <- rropt("noncompliance", option("--yes", yes), option("--n", n), option("--mechanism", mechanism),
    option("--theta", theta), options_of(list(...)))
  if (isFALSE(answer$feasible)) {
    warning("no distribution gives exactly these proportions",
      if (isTRUE(answer$refuted)) ", nor any in the exact confidence set: the model is refuted", call. = FALSE)
  }
  c(lower = number(answer$lower), upper = number(answer$upper))
}
