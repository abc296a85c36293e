# Estimates: a data frame with a row for each group or category.

rr_estimate <- function(mechanism, data = NULL, column = NULL, yes = NULL, n = NULL, counts = NULL, by = NULL,
                        categories = NULL, weights = NULL, strata = NULL, clusters = NULL, fpc = NULL,
                        confidence = 0.95) {
  words <- c(
    option("--mechanism", mechanism), option("--column", column), option("--yes", yes), option("--n", n),
    option("--counts", counts), option("--by", by), option("--categories", categories), option("--weights", weights),
    option("--strata", strata), option("--clusters", clusters), option("--fpc", fpc),
    option("--confidence", confidence)
  )
  answer <- if (is.null(data)) rropt("estimate", words) else with_table(data, function(path) rropt("estimate", path, words))
  structure(list(table = estimate_rows(answer), answer = answer), class = "rr_estimate")
}

# The same sentence as that of the command.
EMPTY <- "none: no possible prevalence fits these responses"

# Whether an interval, cut to [0, 1] or not, contains no possible prevalence; the command then replaces its endpoints.
is_empty <- function(low, high, estimate) {
  !is.na(low) && (high < 0 || low > 1 || (low == high && (estimate < 0 || estimate > 1)))
}

estimate_rows <- function(answer) {
  row <- function(name, group, n, estimate, se, ends) {
    low <- number(ends[[1]])
    high <- number(ends[[2]])
    empty <- is_empty(low, high, estimate)
    data.frame(share = name, group = group, n = n, estimate = estimate, std.error = se, low = if (empty) NA_real_ else low,
      high = if (empty) NA_real_ else high, empty = empty, stringsAsFactors = FALSE)
  }
  none <- list(NA_real_, NA_real_)
  if (!is.null(answer$shares)) {
    rows <- lapply(answer$shares, function(share) lapply(share$groups, function(g) {
      weighted <- !is.null(g$share)
      ends <- if (weighted) g$recommended else g$intervals$exact
      if (is.null(ends) && !weighted) ends <- g$intervals$normal
      if (is.null(ends)) ends <- none
      row(share$name, g$group, g$n, if (weighted) g$share$value else number(g$estimate),
        if (weighted) g$share$standard_error else g$standard_error, ends)
    }))
    return(do.call(rbind, unlist(rows, recursive = FALSE)))
  }
  several <- length(answer$rows) > 1
  names <- category_names(answer, if (several) paste("category", seq_along(answer$rows) - 1) else c("no", "yes"))
  if (!several) names <- names[2]
  rows <- Map(function(name, one) {
    own <- one$intervals[[one$recommended]]
    row(name, "all", answer$n, number(one$estimate), one$standard_error, list(own$lower, own$upper))
  }, names, answer$rows)
  do.call(rbind, unname(rows))
}

# The names of the categories of the question: a list, or a list by the name of the column.
category_names <- function(answer, numbered) {
  given <- answer$question$categories
  if (!is.null(names(given))) given <- given[[1]]
  if (length(given) == length(numbered)) unlist(given) else numbered
}

coef.rr_estimate <- function(object, ...) {
  one <- length(unique(object$table$share)) == 1
  setNames(object$table$estimate, if (one) object$table$group else paste(object$table$share, object$table$group))
}

# Groups without weights are independent; the answer has no covariances between the categories of groups or of weighted
# responses.
vcov.rr_estimate <- function(object, ...) {
  answer <- object$answer
  shares <- answer$shares
  covariance <- if (is.null(names(answer$covariance))) answer$covariance else answer$decimals$covariance  # of many, rounded
  if (is.null(shares)) shares <- list(list(groups = answer$rows, covariance = covariance))
  found <- matrix(NA_real_, nrow(object$table), nrow(object$table), dimnames = list(names(coef(object)), names(coef(object))))
  own <- 0
  for (share in shares) {
    own <- max(own) + seq_along(share$groups)
    known <- length(share$covariance) == length(own)
    found[own, own] <- if (known) vapply(unlist(share$covariance), number, 0) else if (is.null(answer$shares)) NA_real_ else 0
  }
  diag(found) <- object$table$std.error^2
  found
}

confint.rr_estimate <- function(object, parm = names(coef(object)), level = NULL, ...) {
  own <- number(object$answer$confidence)
  if (!is.null(level) && !isTRUE(all.equal(level, own))) {
    stop("these intervals have confidence ", own, ": give confidence = ", level, " to rr_estimate", call. = FALSE)
  }
  found <- as.matrix(object$table[, c("low", "high")])
  rownames(found) <- names(coef(object))
  found[parm, , drop = FALSE]
}

as.data.frame.rr_estimate <- function(x, ...) x$table

print.rr_estimate <- function(x, ...) {
  shown <- x$table[, c("share", "group", "n", "estimate", "std.error")]
  rounded <- lapply(x$table[c("low", "high")], function(end) trimws(format(end, digits = 4)))
  ends <- paste(rounded$low, "to", rounded$high)
  shown$interval <- ifelse(x$table$empty, EMPTY, ifelse(is.na(x$table$low), "none", ends))
  print(shown, row.names = FALSE, digits = 4, right = FALSE)
  for (remark in unlist(x$answer$remarks)) cat("remark: ", remark, "\n", sep = "")
  invisible(x)
}
