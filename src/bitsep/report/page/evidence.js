// The panel beside the graph: why two variables are joined or not, with the counts behind it; or all about one.

const panel = byId("evidence");
const SHOWN_STRATA = 5;
const APART = " ⊥ "; // independent of: the sign between two variables without an edge

function showHint() {
  const nearest = (rows, key, sign) => rows.filter((row) => row[key] !== null && row.strength > 0).sort((one, two) => sign * (one[key] - two[key])).slice(0, 3);
  const closeCalls = (title, rows, key, show) => rows.length
    ? [el("p", { class: "lead" }, title), el("ul", { class: "close" }, rows.map((row) => el("li", {}, show(row), ` by ${bits(Math.abs(row[key]))} bits`)))]
    : [];
  panel.replaceChildren(
    el("p", {}, "Choose an edge or a variable in the graph, or two variables above."),
    el("p", { class: "quiet" },
      "Every edge is there because no set of variables that was tried separates its two ends; every missing one is ",
      "missing because some set does. Evidence is measured in bits: what two variables tell about each other, less ",
      "what chance alone may account for."),
    ...(report.has_rows ? [
      ...closeCalls("Edges that only just survived", nearest(report.edges, "margin", 1), "margin", (edge) => pairButton(edge, edge.arrow ? " → " : " — ")),
      ...closeCalls("Edges that only just fell", nearest(report.separations, "score", -1), "score", (pair) => pairButton(pair, APART)),
    ] : []),
  );
}

function showPair(a, b) {
  const edge = report.edges.find((candidate) => joins(candidate, a, b));
  const pair = edge ?? report.separations.find((candidate) => joins(candidate, a, b));
  const heading = el("h3", {}, name(edge ? edge.a : a), edge ? (edge.arrow ? " → " : " — ") : APART, name(edge ? edge.b : b));
  lightPair(a, b, pair?.given ?? []);
  if (!pair) {
    panel.replaceChildren(heading, el("p", {}, "They have no edge. This report explains only the missing edges that were nearest to being one."));
    return;
  }
  panel.replaceChildren(heading, ...paragraphs(pair.phrase), ...contingency(pair));
}

function showVariable(i) {
  const variable = report.variables[i];
  lightVariable(i);
  const roles = [
    ["parent", "causes", variable.parents],
    ["child", "effects", variable.children],
    ["undecided", "direction open", variable.undecided],
    ["spouse", "causes of its effects", variable.spouses],
  ].filter(([, , members]) => members.length);
  const items = (members) => members.map((member) => el("span", { class: "item" }, link(member)));
  panel.replaceChildren(
    el("h3", {}, name(i)),
    el("p", { class: "lead" }, "Markov blanket"),
    roles.length
      ? el("dl", { class: "roles" }, roles.map(([role, title, members]) => [el("dt", { class: role }, title), el("dd", {}, items(members))]))
      : el("p", {}, "Empty: no edge leads to it."),
    roles.length ? el("p", { class: "quiet" }, "Given these, no other variable tells anything more about it, as far as the graph says.") : "",
    ...(variable.levels ? [el("p", { class: "lead" }, "Levels"), ...levelBars(variable)] : []),
  );
}

function levelBars(variable) {
  const most = Math.max(1, ...variable.levels.map((level) => level.rows));
  const rows = variable.levels.map((level) => [
    el("bdi", {}, level.label), el("span", { class: "number" }, count(level.rows)), measure(level.rows / most),
  ]);
  const missing = variable.missing ? el("p", { class: "quiet" }, `${count(variable.missing)} rows miss a value.`) : "";
  return [el("div", { class: "levels" }, rows), missing];
}

/** The tables of a pair's test: all rows together, then stratum by stratum. */
function contingency(pair) {
  if (!pair.strata.length) {
    return pair.rows ? [el("p", { class: "quiet" }, report.has_data ? "Its table of counts is too large for this page." : "Give save_report the data to see the counts.")] : [];
  }
  const [down, across] = [pair.a, pair.b];
  const size = [report.variables[down].levels.length, report.variables[across].levels.length];
  const tables = pair.strata.map((stratum) => ({ ...stratum, cells: unpackZeros(stratum.cells) }));
  const whole = tables.reduce((sum, table) => sum.map((cell, k) => cell + table.cells[k]), Array(size[0] * size[1]).fill(0));
  const head = el("p", { class: "quiet" },
    name(down), " down, ", name(across), " across. Each cell: rows counted, and below, rows expected if the two were independent. ",
    el("span", { class: "key more" }, el("i", { class: "more" }), "more than expected"),
    el("span", { class: "key less" }, el("i", { class: "less" }), "fewer"));
  const figures = tables
    .map((table) => heat(stratumTitle(pair, table), table.cells, table.expected ?? independent(table.cells, size), size, pair, table.pooled > 0))
    .sort((one, two) => two.information - one.information) // where the dependence is comes first; pooled strata last
    .map(({ figure }) => figure);
  if (pair.given.length) figures.unshift(heat("All rows together, given nothing", whole, independent(whole, size), size, pair).figure);
  const [first, rest] = [figures.slice(0, SHOWN_STRATA), figures.slice(SHOWN_STRATA)];
  return [
    el("p", { class: "lead" }, "Counts"), head, el("div", { class: "strata" }, first),
    rest.length ? el("details", {}, el("summary", {}, `${count(rest.length)} more`), el("div", { class: "strata" }, rest)) : "",
  ];
}

function stratumTitle(pair, stratum) {
  if (stratum.pooled) return [`${count(stratum.pooled)} smaller strata, each with its own expectation`];
  if (!pair.given.length) return ["All rows"];
  return pair.given.flatMap((i, k) => [k ? ", " : "", name(i), " = ", el("bdi", {}, stratum.labels[k])]);
}

/** Runs of zeros are kept as one negative number. */
const unpackZeros = (cells) => cells.flatMap((cell) => (cell < 0 ? Array(-cell).fill(0) : [cell]));

/** Row sum times column sum over the total. */
function independent(cells, [height, width]) {
  const total = cells.reduce((sum, cell) => sum + cell, 0) || 1;
  const rows = Array.from({ length: height }, (_, r) => cells.slice(r * width, (r + 1) * width).reduce((sum, cell) => sum + cell, 0));
  const columns = Array.from({ length: width }, (_, c) => rows.reduce((sum, _row, r) => sum + cells[r * width + c], 0));
  return cells.map((_, k) => (rows[Math.floor(k / width)] * columns[k % width]) / total);
}

/** A table whose cells are tinted by how far they are from expectation; levels that do not occur are left out. */
function heat(title, cells, expected, [height, width], pair, pooled = false) {
  const rows = cells.reduce((sum, cell) => sum + cell, 0);
  const information = cells.reduce((sum, cell, k) => sum + (cell ? cell * Math.log2(cell / expected[k]) : 0), 0);
  const range = (length) => Array.from({ length }, (_, k) => k);
  const usedRows = range(height).filter((r) => range(width).some((c) => cells[r * width + c]));
  const usedColumns = range(width).filter((c) => range(height).some((r) => cells[r * width + c]));
  const level = (i, k, scope) => el("th", { scope, title: report.variables[i].levels[k].label }, el("bdi", {}, report.variables[i].levels[k].label));
  const head = el("tr", {}, el("td", { class: "corner" }), usedColumns.map((c) => level(pair.b, c, "col")));
  const body = usedRows.map((r) => el("tr", {}, level(pair.a, r, "row"), usedColumns.map((c) => cell(cells[r * width + c], expected[r * width + c]))));
  const told = pooled ? "" : `, ${bits(Math.max(0, information))} bits`;
  const figure = el("figure", { class: "stratum" },
    el("figcaption", {}, title, el("br"), el("span", { class: "quiet" }, `${count(rows)} rows${told}`)),
    el("table", { class: "heat" }, el("thead", {}, head), el("tbody", {}, body)));
  return { figure, information: pooled ? -1 : information };
}

/** Tinted by the deviation in standard deviations: the full tint at five. */
function cell(observed, expected) {
  const deviation = expected > 0 ? (observed - expected) / Math.sqrt(expected) : 0;
  const wished = expected < 10 ? expected.toFixed(1) : count(Math.round(expected));
  const node = el("td", { class: deviation > 0 ? "more" : "less", title: `${count(observed)} rows, ${wished} expected` },
    count(observed), el("small", {}, wished));
  node.style.setProperty("--much", Math.min(70, Math.abs(deviation) * 14).toFixed(0));
  return node;
}
