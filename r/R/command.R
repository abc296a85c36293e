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
  told <- paste(readLines(errors, warn = FALSE), collapse = "\n")
  if (!(status %in% c(0, 1))) {
    stop(sub("^rropt: ", "", told), call. = FALSE)
  }
  jsonlite::fromJSON(paste(readLines(out, warn = FALSE), collapse = "\n"), simplifyVector = FALSE)
}

# A data frame goes to the command as a CSV file; a path stays as it is.
with_table <- function(data, use) {
  if (is.character(data)) return(use(data))
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  utils::write.csv(data, path, row.names = FALSE, na = "")
  use(path)
}

# Numbers as the command reads them: 100000 and 0.5, where R writes 1e+05 and, with options(OutDec = ","), 0,5.
word <- function(x) {
  if (is.list(x)) return(as.character(unlist(lapply(x, word), use.names = FALSE)))
  if (is.numeric(x)) vapply(x, format, "", scientific = FALSE, digits = 15, decimal.mark = ".") else as.character(x)
}

option <- function(name, value) if (is.null(value)) character() else c(name, paste(word(value), collapse = ","))

number <- function(x) if (is.null(x)) NA_real_ else if (is.numeric(x)) x else {
  parts <- strsplit(x, "/", fixed = TRUE)[[1]]
  if (length(parts) == 2) as.numeric(parts[1]) / as.numeric(parts[2]) else as.numeric(x)
}
