# Writes mantel_haenszel.json beside it: Rscript tests/golden/mantel_haenszel.R (base R only).
# Each case: a list of 2 x 2 tables (rows: x, columns: y), one per stratum, with what mantelhaen.test says about them.

case <- function(name, tables) {
  storage.mode(tables) <- "double" # products of large integers would overflow
  corrected <- mantelhaen.test(tables)
  plain <- mantelhaen.test(tables, correct = FALSE)
  number <- function(value) format(value, digits = 17)
  stratum <- function(k) sprintf("[[%d, %d], [%d, %d]]", tables[1, 1, k], tables[1, 2, k], tables[2, 1, k], tables[2, 2, k])
  strata <- vapply(seq_len(dim(tables)[3]), stratum, "")
  sprintf(
    '    {"name": "%s", "strata": [%s],\n     "ratio": %s, "low": %s, "high": %s,\n     "statistic": %s, "p_value": %s, "uncorrected_statistic": %s, "uncorrected_p_value": %s}',
    name, paste(strata, collapse = ", "), number(corrected$estimate), number(corrected$conf.int[1]),
    number(corrected$conf.int[2]), number(corrected$statistic), number(corrected$p.value),
    number(plain$statistic), number(plain$p.value))
}

# Penicillin and rabbits (Agresti, Categorical data analysis), from the examples of mantelhaen.test: many empty cells.
rabbits <- array(c(0, 0, 6, 5, 3, 0, 3, 6, 6, 2, 0, 4, 5, 6, 1, 0, 2, 5, 0, 0), dim = c(2, 2, 5))
titanic <- apply(Titanic, c(4, 2, 1), sum) # Survived, Sex, Class
set.seed(1)
random <- function(strata, mean) array(rpois(4 * strata, mean), dim = c(2, 2, strata))
cases <- c(
  case("UCBAdmissions", UCBAdmissions),
  case("Titanic", titanic),
  case("rabbits", rabbits),
  case("random, 2 strata", random(2, 40)),
  case("random, 20 strata", random(20, 6)),
  case("random, 60 sparse strata", random(60, 1.5) + array(c(1, 0, 0, 1), dim = c(2, 2, 60))),
  case("random, large", random(6, 20000)))
folder <- dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE)))
writeLines(
  c("{", sprintf('  "made_by": "%s, mantelhaen.test of package stats", "date": "%s",', R.version.string, Sys.Date()), '  "cases": [',
    paste(cases, collapse = ",\n"), "  ]", "}"),
  file.path(folder, "mantel_haenszel.json"))
