# Writes x2_simulated.json beside it: Rscript tests/golden/x2_simulated.R (base R only, a minute).
# Each case: a list of tables (rows: x, columns: y), one per stratum, with X² and its p-value by simulation with fixed
# margins. One stratum: chisq.test(simulate.p.value = TRUE); several: the sum over strata of tables drawn by r2dtable.

draws <- 200000
set.seed(20261118)
x2 <- function(table, expected) sum(((table - expected)^2 / expected)[expected > 0])

several <- function(tables) {
  observed <- 0
  simulated <- numeric(draws)
  for (table in tables) {
    rows <- rowSums(table)
    columns <- colSums(table)
    expected <- outer(rows, columns) / sum(table)
    observed <- observed + x2(table, expected)
    simulated <- simulated + vapply(r2dtable(draws, rows, columns), x2, 0, expected)
  }
  c(observed, (1 + sum(simulated >= observed - 1e-9)) / (1 + draws))
}

case <- function(name, tables) {
  found <- if (length(tables) == 1) {
    test <- suppressWarnings(chisq.test(tables[[1]], simulate.p.value = TRUE, B = draws))
    c(test$statistic, test$p.value)
  } else several(tables)
  row <- function(line) sprintf("[%s]", paste(line, collapse = ", "))
  stratum <- function(table) sprintf("[%s]", paste(apply(table, 1, row), collapse = ", "))
  sprintf('    {"name": "%s", "strata": [%s],\n     "statistic": %s, "p_value": %s}', name,
          paste(vapply(tables, stratum, ""), collapse = ", "), format(found[1], digits = 17), format(found[2], digits = 17))
}

strata <- function(array) lapply(seq_len(dim(array)[3]), function(k) array[, , k])
random <- function(rows, columns, count, mean) lapply(seq_len(count), function(k)
  matrix(rpois(rows * columns, mean) + (row(diag(1, rows, columns)) == col(diag(1, rows, columns))) * rpois(1, mean / 3), rows))
skewed <- outer(2^-(0:4), 2^-(0:4))
cases <- c(
  case("tea", list(matrix(c(3, 1, 1, 3), 2))),
  case("job satisfaction", list(matrix(c(1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11), 4))),
  case("hair and eye color", strata(HairEyeColor[, , 1:2] %/% 10)),
  case("UCBAdmissions", strata(UCBAdmissions[, , 2:6])),
  case("mtcars, cylinders and gears", list(unclass(table(mtcars$cyl, mtcars$gear)))),
  case("2 x 2, few rows", random(2, 2, 1, 4)),
  case("3 x 3, 9 strata", random(3, 3, 9, 2)),
  case("4 x 3, 30 sparse strata", random(4, 3, 30, 0.7)),
  case("5 x 5, skewed", list(matrix(rpois(25, 60 * skewed), 5))),
  case("5 x 5, skewed, dependent", list(matrix(rpois(25, 60 * skewed + diag(c(0, 0, 1, 1, 1))), 5))),
  case("8 x 8", random(8, 8, 1, 1.2)))
folder <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
writeLines(
  c("{", sprintf('  "made_by": "%s, chisq.test and r2dtable of package stats", "date": "%s", "draws": %d,', R.version.string, Sys.Date(), draws),
    '  "cases": [', paste(cases, collapse = ",\n"), "  ]", "}"),
  file.path(folder, "x2_simulated.json"))
