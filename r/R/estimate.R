# Estimates: a data frame with a row for each category, group or cell, as the command writes it with --output.

rr_estimate <- function(mechanism = NULL, data = NULL, column = NULL, yes = NULL, n = NULL, counts = NULL, by = NULL,
                        categories = NULL, weights = NULL, strata = NULL, clusters = NULL, fpc = NULL,
                        confidence = 0.95, ...) {
  if (length(by) == 1 && by %in% names(data)) by <- quoted_names(by)  # a name with a comma is no list of names
  words <- c(
    option("--mechanism", mechanism), option("--column", column), option("--yes", yes), option("--n", n),
    option("--counts", counts), option("--by", by), option("--categories", categories), option("--weights", weights),
    option("--strata", strata), option("--clusters", clusters), option("--fpc", fpc),
    option("--confidence", confidence), options_of(list(...))
  )
  rows <- tempfile(fileext = ".csv")
  on.exit(unlink(rows))
  ask <- function(...) rropt("estimate", ..., words, paste0("--output=", rows))
  answer <- if (is.null(data)) ask() else with_table(data, ask)
  table <- estimate_rows(rows)
  order <- group_order(table, answer$by, data)
  found <- list(table = table[order, ], places = order(order), answer = answer)  # places: of the rows of the answer
  rownames(found$table) <- NULL
  structure(found, class = "rr_estimate")
}

# The columns that name a row, such as question, category and group: those before the numbers.
keys_of <- function(table) table[seq_len(match(TRUE, names(table) %in% c("n", "estimate", "weight")) - 1)]

# The same sentence as that of the command.
EMPTY <- "none: no possible prevalence fits these responses"

estimate_rows <- function(path) {
  found <- utils::read.csv(path, colClasses = "character", na.strings = character(), check.names = FALSE,
    encoding = "UTF-8")
  names(found)[names(found) == "se"] <- "standard_error"
  texts <- names(found) %in% c(names(keys_of(found)), "interval")
  found[!texts] <- lapply(found[!texts], utils::type.convert, na.strings = "", as.is = TRUE)
  if (!is.null(found$interval)) {  # no endpoints, and yet a standard error: no possible prevalence
    found$empty <- is.na(found$low) & !is.na(found$standard_error) & (found$estimate < 0 | found$estimate > 1)
  }
  found
}

# The order of the rows: groups as the levels of factors, whose order a CSV file does not have.
group_order <- function(table, by, data) {
  levels <- group_levels(by, data)
  if (!length(levels)) return(seq_len(nrow(table)))
  kinds <- paste(table$question, table$category, sep = "\r")
  order(match(kinds, unique(kinds)), match(table$group, levels))
}

group_levels <- function(by, data) {
  columns <- lapply(unlist(by), function(name) if (is.data.frame(data)) data[[name]])
  if (!any(vapply(columns, is.factor, NA))) return(NULL)
  sets <- lapply(columns, function(x) if (is.factor(x)) levels(x) else sort(unique(as.character(x)), method = "radix"))
  do.call(paste, c(rev(expand.grid(rev(sets), stringsAsFactors = FALSE)), sep = ", "))
}

# The part of the names of the rows in which they differ.
row_names <- function(table) {
  keys <- keys_of(table)
  if (!length(keys)) return(rep("estimate", nrow(table)))
  if (!is.null(keys$name)) return(keys$name)
  differ <- vapply(keys, function(x) length(unique(x)) > 1, NA)
  do.call(paste, unname(if (any(differ)) keys[differ] else keys[ncol(keys)]))
}

coef.rr_estimate <- function(object, ...) setNames(object$table$estimate, row_names(object$table))

# The answer has the covariances of up to 100 rows, but between different questions none; groups of a simple random
# sample are independent.
vcov.rr_estimate <- function(object, ...) {
  answer <- object$answer
  table <- object$table
  found <- matrix(NA_real_, nrow(table), nrow(table), dimnames = list(row_names(table), row_names(table)))
  known <- answer$covariance
  if (length(known) == nrow(table)) {
    own <- object$places
    found[own, own] <- do.call(rbind, lapply(known, function(row) vapply(row, number, 0)))
  } else if (identical(answer$sample, "simple random sample") && !is.null(table$group)) {
    found[outer(table$group, table$group, "!=")] <- 0
  }
  diag(found) <- table$standard_error^2  # NA without degrees of freedom
  found
}

confint.rr_estimate <- function(object, parm = names(coef(object)), level = NULL, ...) {
  if (is.null(object$table$low)) stop("these estimates have no intervals", call. = FALSE)
  own <- number(object$answer$confidence)
  if (!is.null(level) && !isTRUE(all.equal(level, own))) {
    stop("these intervals have confidence ", own, ": give confidence = ", level, " to rr_estimate", call. = FALSE)
  }
  found <- as.matrix(object$table[, c("low", "high")])
  dimnames(found) <- list(names(coef(object)), c("low", "high"))
  found[parm, , drop = FALSE]
}

as.data.frame.rr_estimate <- function(x, ...) x$table

print.rr_estimate <- function(x, ...) {
  shown <- cbind(keys_of(x$table), x$table[intersect(c("n", "estimate", "standard_error"), names(x$table))])
  if (!is.null(x$table$low)) {
    rounded <- lapply(x$table[c("low", "high")], function(end) trimws(format(end, digits = 4)))
    shown$interval <- ifelse(is.na(x$table$low), "none", paste(rounded$low, "to", rounded$high))
    shown$interval[x$table$empty] <- EMPTY
  }
  print(shown, row.names = FALSE, digits = 4, right = FALSE)
  for (remark in unlist(x$answer$remarks)) cat("remark: ", remark, "\n", sep = "")
  invisible(x)
}
