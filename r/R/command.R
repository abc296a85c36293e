# The command rropt: how it is found, called, and how its answer is read.

command <- function() {
  given <- getOption("rroptr.command")
  if (is.null(given)) Sys.which("rropt") else given
}

rropt_available <- function() {
  found <- command()
  length(found) > 0 && nzchar(found[1]) && !inherits(
    try(suppressWarnings(system2(found[1], c(found[-1], "--version"), stdout = TRUE, stderr = TRUE)), silent = TRUE),
    "try-error"
  )
}

rropt <- function(...) {
  words <- word(list(...))
  found <- command()
  if (!nzchar(found[1])) {
    stop("the command rropt is not found: pip install rropt, or set options(rroptr.command = \"/path/to/rropt\")",
      call. = FALSE)
  }
  out <- tempfile(fileext = ".json")
  errors <- tempfile(fileext = ".txt")
  on.exit(unlink(c(out, errors)))
  quoted <- vapply(c(found[-1], words, "--json"), shQuote, "")
  status <- suppressWarnings(system2(found[1], quoted, stdout = out, stderr = errors))
  told <- paste(readLines(errors, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  if (!(status %in% c(0, 1))) {
    stop(sub("^rropt: ", "", told), call. = FALSE)
  }
  jsonlite::fromJSON(paste(readLines(out, warn = FALSE, encoding = "UTF-8"), collapse = "\n"), simplifyVector = FALSE)
}

# A data frame goes to the command as a CSV file; a path stays as it is. Errors name rows of the data frame.
with_table <- function(data, use) {
  if (is.character(data)) return(use(data))
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  write_table(data, path)
  tryCatch(use(path), error = function(e) {
    one_line_each <- length(readLines(path, warn = FALSE)) == NROW(data) + 1
    message <- gsub(paste0("'", path, "'"), "the data frame", conditionMessage(e), fixed = TRUE)
    stop(if (one_line_each) rows_of_lines(message) else message, call. = FALSE)
  })
}

write_table <- function(data, path) {
  data <- as.data.frame(data)
  wide <- vapply(data, function(x) is.list(x) || NCOL(x) > 1, NA)
  if (any(wide)) {
    stop("a cell of the data holds several values: column ", paste(names(data)[wide], collapse = ", "),
      "; leave it out, or make a column of each value", call. = FALSE)
  }
  numbers <- vapply(data, function(x) is.numeric(x) && (!is.object(x) || inherits(x, "AsIs")), NA)
  data[numbers] <- lapply(data[numbers], decimals)
  write.csv(data, path, row.names = FALSE, na = "", quote = which(!numbers), fileEncoding = "UTF-8")
}

# Every digit of a column of numbers: write.csv writes 15, and 100000 as 1e+05, which is another name of a group.
decimals <- function(x) {
  x <- as.vector(x)
  known <- !is.na(x)
  text <- rep(NA_character_, length(x))
  text[known] <- sprintf("%.15g", x[known])
  rounded <- known & is.finite(x) & suppressWarnings(as.numeric(text)) != x
  text[rounded] <- sprintf("%.17g", x[rounded])
  whole <- known & is.finite(x) & abs(x) < 2^53 & x == trunc(x)
  text[whole] <- sprintf("%.0f", x[whole])
  text
}

# Line 2 of the CSV file is row 1 of the data frame.
rows_of_lines <- function(message) {
  places <- gregexpr("(?<!['\\w])lines? [0-9]+(, [0-9]+)*", message, perl = TRUE)
  regmatches(message, places) <- lapply(regmatches(message, places), function(found) vapply(found, function(one) {
    lines <- as.integer(strsplit(gsub("[^0-9,]", "", one), ",", fixed = TRUE)[[1]])
    paste0(if (length(lines) > 1) "rows " else "row ", paste(lines - 1, collapse = ", "))
  }, ""))
  message
}

# Numbers as the command reads them: 100000 and 0.5, where R writes 1e+05 and, with options(OutDec = ","), 0,5.
word <- function(x) {
  if (is.list(x)) return(as.character(unlist(lapply(x, word), use.names = FALSE)))
  if (is.numeric(x)) vapply(x, format, "", scientific = FALSE, digits = 15, decimal.mark = ".") else as.character(x)
}

NAMES <- c("--by", "--columns", "--categories", "--post-strata", "--codes")  # lists of names, which may hold commas
REPEATED <- c("--recode", "--devices", "--covariate", "--sample", "--versus")  # given again for each value
WORDS <- "--missing"  # several words after one option
NAMED <- c("--devices" = "=", "--missing" = "=", "--covariate" = "=", "--sample" = "=", "--versus" = "=", "--recode" = ": ")

# The words of an option: NULL and FALSE are no option, TRUE is an option without a value. A list of categories has a
# vector for each column.
option <- function(name, value) {
  if (is.null(value) || isFALSE(value)) return(character())
  if (isTRUE(value)) return(name)
  if (is.list(value) && name == "--categories") {
    return(unlist(Map(function(column, one) {
      option(name, c(paste0(if (nzchar(column)) paste0(column, "="), one[1]), one[-1]))
    }, if (is.null(names(value))) rep("", length(value)) else names(value), value), use.names = FALSE))
  }
  words <- word(value)
  if (name %in% NAMES && length(words) > 1) words <- quoted_names(words)
  if (name %in% names(NAMED) && !is.null(names(value))) {
    words <- ifelse(nzchar(names(value)), paste0(names(value), NAMED[[name]], words), words)
  }
  if (name %in% WORDS) return(c(name, words))
  if (name %in% REPEATED) return(paste0(name, "=", words))
  paste0(name, "=", paste(words, collapse = ","))  # one word, since a list may begin with a minus sign
}

quoted_names <- function(x) ifelse(grepl("[,\"\n\r]", x), paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\""), x)

# Further options by their names in R: where = "age >= 18" is --where=age >= 18.
options_of <- function(given) {
  if (length(given) && (is.null(names(given)) || !all(nzchar(names(given))))) {
    stop("name each option of the command, for example margin = 0.05 or where = \"age >= 18\"", call. = FALSE)
  }
  unlist(Map(function(name, value) option(paste0("--", gsub("_", "-", name)), value), names(given), given),
    use.names = FALSE)
}

number <- function(x) if (is.null(x)) NA_real_ else if (is.numeric(x)) x else {
  parts <- strsplit(x, "/", fixed = TRUE)[[1]]
  if (length(parts) == 2) as.numeric(parts[1]) / as.numeric(parts[2]) else as.numeric(x)
}
