# Regressions of randomized responses by svyglm with a custom link: figures.csv, of the rows of rows.csv.
#   Rscript survey_glm.R
# The link has linkinv = c + d F(eta), with c and d of each row's device. svyglm's stopping rule leaves 1e-9, so that
# each fit is repeated from its own end.
suppressMessages(library(survey))
options(survey.lonely.psu = "fail")
rows <- read.csv("rows.csv", stringsAsFactors = TRUE)
devices <- list("direct" = c(1, 0), "forced:2/3,1/6,1/6" = c(2 / 3, 1 / 6), "crosswise:1/4" = c(-1 / 2, 3 / 4))
rows$slope <- sapply(as.character(rows$device), function(x) devices[[x]][1])
rows$base <- sapply(as.character(rows$device), function(x) devices[[x]][2])
rows$id <- seq_len(nrow(rows))

randomized <- function(name, c, d) {
  base <- make.link(name)
  structure(list(
    linkfun = function(mu) base$linkfun(pmin(pmax((mu - c) / d, 0.02), 0.98)),
    linkinv = function(eta) c + d * base$linkinv(eta),
    mu.eta = function(eta) d * base$mu.eta(eta),
    valideta = function(eta) TRUE, name = "randomized"
  ), class = "link-glm")
}

designs <- list(
  weights = svydesign(ids = ~1, weights = ~w, data = rows),
  clusters = svydesign(ids = ~c, strata = ~h, weights = ~w, data = rows),
  fpc = svydesign(ids = ~c, strata = ~h, weights = ~w, fpc = ~N, data = rows),
  stages = svydesign(ids = ~ c + id, strata = ~h, weights = ~w, fpc = ~ N + M, data = rows),
  post = postStratify(
    svydesign(ids = ~c, strata = ~h, weights = ~w, data = rows), ~post, data.frame(post = c("f", "m"), Freq = c(900, 800))
  )
)
designs$domain <- subset(designs$clusters, keep == 1)
found <- NULL
for (name in names(designs)) {
  for (link in c("logit", "probit")) {
    design <- designs[[name]]
    own <- design$variables
    start <- if (link == "logit") c(-0.5, 0.5, 1) else c(-0.3, 0.3, 0.6)
    for (again in 1:8) {
      family <- quasibinomial(link = randomized(link, own$base, own$slope))
      fit <- suppressWarnings(svyglm(z ~ x + g, design = design, family = family, start = start,
        control = glm.control(epsilon = 1e-15, maxit = 200)))
      start <- coef(fit)
    }
    V <- vcov(fit)
    numbers <- c(coef(fit), V[lower.tri(V, diag = TRUE)], degf(design))
    found <- rbind(found, c(name, link, sprintf("%.17g", as.numeric(numbers))))
  }
}
colnames(found) <- c("design", "link", "b0", "b1", "b2", "v00", "v10", "v20", "v11", "v21", "v22", "df")
write.csv(found, "figures.csv", row.names = FALSE, quote = FALSE)
post <- weights(designs$post)
write.csv(data.frame(post_weight = sprintf("%.17g", post)), "post_weights.csv", row.names = FALSE, quote = FALSE)
cat(R.version.string, "survey", as.character(packageVersion("survey")), "\n")
