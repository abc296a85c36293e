# Plans, privacy and non-compliance: lists and data frames of what the command answers.

rr_plan <- function(mechanism, ..., direct = FALSE) {
  given <- list(...)
  if (length(given) && (is.null(names(given)) || !all(nzchar(names(given))))) {
    stop("name each goal, for example margin = 0.05", call. = FALSE)
  }
  words <- unlist(lapply(names(given), function(name) option(paste0("--", gsub("_", "-", name)), given[[name]])))
  answer <- rropt("plan", "--mechanism", mechanism, words, if (direct) "--direct")
  found <- data.frame(question = c("randomized", if (direct) "direct"),
    n = c(answer$n, if (direct) answer$direct$n), stringsAsFactors = FALSE)
  found$std.error <- c(answer$standard_error, if (direct) answer$direct$standard_error)  # of a given n; else no column
  found
}

rr_privacy <- function(mechanism) {
  answer <- rropt("privacy", mechanism)
  epsilon <- answer$decimals$epsilon
  list(parity = number(answer$parity), epsilon = if (is.null(epsilon)) number(answer$epsilon) else epsilon,
    exact = answer$epsilon)
}

rr_noncompliance <- function(mechanism, yes, n, theta) {
  answer <- rropt("noncompliance", "--yes", yes, "--n", n, "--mechanism", mechanism, "--theta", theta)
  c(lower = number(answer$lower), upper = number(answer$upper))
}
