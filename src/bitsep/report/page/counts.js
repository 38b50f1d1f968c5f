// Contingency tables as heat maps: all rows together, then stratum by stratum.

const SHOWN = 5; // tables before the rest hides behind "more"

function contingency(pair) {
  if (!pair.rows) return [];
  if (!pair.strata.length) {
    return [quiet(report.has_data ? "Its counts are too many for this page." : "Give save_report the data to see counts.")];
  }
  const [height, width] = [pair.a, pair.b].map((i) => report.variables[i].levels.length);
  const strata = pair.strata.map((stratum) =>
    table(stratumTitle(pair, stratum), unpackZeros(stratum.cells), width, stratum));
  const maps = strata
    .sort((one, two) => two.information - one.information) // where the dependence is comes first; pooled strata last
    .map((stratum) => heatMap(stratum, pair));
  if (pair.given.length) {
    const whole = Array.from({ length: height * width }, (_, k) => sum(strata.map(({ cells }) => cells[k])));
    maps.unshift(heatMap(table("All rows together, given nothing", whole, width), pair));
  }
  const [first, rest] = [maps.slice(0, SHOWN), maps.slice(SHOWN)];
  const more = el("details", {}, el("summary", {}, `${count(rest.length)} more`), el("div", { class: "strata" }, rest));
  return [lead("Counts"), key(pair), el("div", { class: "strata" }, first), ...(rest.length ? [more] : [])];
}

function key(pair) {
  const swatch = (kind, text) => el("span", { class: `key ${kind}` }, el("i", { class: kind }), text);
  return quiet(
    name(pair.a), " down, ", name(pair.b), " across. Each cell: rows counted, and below, rows expected if the two ",
    "were independent. ", swatch("more", "more than expected"), swatch("less", "fewer"),
  );
}

function stratumTitle(pair, stratum) {
  if (stratum.pooled) return [`${count(stratum.pooled)} smaller strata, each with its own expectation`];
  if (!pair.given.length) return ["All rows"];
  return pair.given.flatMap((i, k) => [k ? ", " : "", name(i), " = ", el("bdi", {}, stratum.labels[k])]);
}

/** A table with what independence would give; pooled strata bring theirs along, and their bits are not known. */
function table(title, cells, width, { expected = null, pooled = 0 } = {}) {
  const wished = expected ?? independent(cells, width);
  const information = sum(cells.map((cell, k) => (cell ? cell * Math.log2(cell / wished[k]) : 0)));
  return { title, cells, width, expected: wished, pooled, information: pooled ? -1 : Math.max(0, information) };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Runs of zeros are kept as one negative number. */
const unpackZeros = (cells) => cells.flatMap((cell) => (cell < 0 ? Array(-cell).fill(0) : [cell]));

/** Row sum times column sum over the total. */
function independent(cells, width) {
  const total = sum(cells) || 1;
  const rowSum = (row) => sum(cells.slice(row * width, (row + 1) * width));
  const columnSum = (column) => sum(cells.filter((_, k) => k % width === column));
  return cells.map((_, k) => (rowSum(Math.floor(k / width)) * columnSum(k % width)) / total);
}

/** Levels that do not occur in the table are left out. */
function heatMap({ title, cells, width, expected, pooled, information }, pair) {
  const occupied = cells.flatMap((cell, k) => (cell ? [k] : []));
  const inOrder = (numbers) => [...new Set(numbers)].sort((one, two) => one - two);
  const rows = inOrder(occupied.map((k) => Math.floor(k / width)));
  const columns = inOrder(occupied.map((k) => k % width));
  const level = (i, k, scope) => {
    const { label } = report.variables[i].levels[k];
    return el("th", { scope, title: label }, el("bdi", {}, label));
  };
  const head = el("tr", {}, el("td", { class: "corner" }), columns.map((c) => level(pair.b, c, "col")));
  const body = rows.map((r) =>
    el("tr", {}, level(pair.a, r, "row"), columns.map((c) => heatCell(cells[r * width + c], expected[r * width + c]))));
  const told = pooled ? "" : `, ${bits(information)} bits`;
  return el(
    "figure",
    { class: "stratum" },
    el("figcaption", {}, title, el("br"), el("span", { class: "quiet" }, `${count(sum(cells))} rows${told}`)),
    el("table", { class: "heat" }, el("thead", {}, head), el("tbody", {}, body)),
  );
}

/** Tinted by the distance from expectation in standard deviations: the full tint at five. */
function heatCell(observed, expected) {
  const deviation = expected > 0 ? (observed - expected) / Math.sqrt(expected) : 0;
  const wished = expected < 10 ? expected.toFixed(1) : count(Math.round(expected));
  const attributes = { class: deviation > 0 ? "more" : "less", title: `${count(observed)} rows, ${wished} expected` };
  const node = el("td", attributes, count(observed), el("small", {}, wished));
  node.style.setProperty("--much", Math.min(70, Math.abs(deviation) * 14).toFixed(0));
  return node;
}
