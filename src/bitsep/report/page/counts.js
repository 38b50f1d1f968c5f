// Contingency tables as heat maps: all rows, then one per stratum.

const SHOWN = 5; // tables; the rest is shown after a click on "more"

function contingency(pair) {
  if (!pair.rows) return [];
  if (!pair.strata.length) {
    return [quiet(report.has_data ? "There are too many counts for this page." : "Pass the data to save_report to see counts.")];
  }
  const [height, width] = [pair.a, pair.b].map((i) => report.variables[i].levels.length);
  const strata = pair.strata.map((stratum) =>
    table(stratumTitle(pair, stratum), unpackZeros(stratum.cells), width, stratum));
  const maps = strata
    .sort((one, two) => two.information - one.information) // strata with the strongest dependence first, pooled strata last
    .map((stratum) => heatMap(stratum, pair));
  if (pair.given.length) {
    const total = Array.from({ length: height * width }, (_, k) => sum(strata.map(({ cells }) => cells[k])));
    maps.unshift(heatMap(table("All rows, given nothing", total, width), pair));
  }
  const [first, rest] = [maps.slice(0, SHOWN), maps.slice(SHOWN)];
  const more = el("details", {}, el("summary", {}, `${count(rest.length)} more`), el("div", { class: "strata" }, rest));
  return [lead("Counts"), key(pair), el("div", { class: "strata" }, first), ...(rest.length ? [more] : [])];
}

function key(pair) {
  const swatch = (kind, text) => el("span", { class: `key ${kind}` }, el("i", { class: kind }), text);
  return quiet(
    name(pair.a), " in rows, ", name(pair.b), " in columns. Each cell shows the rows counted and, below, the rows ",
    "expected under independence. ", swatch("more", "more than expected"), swatch("less", "fewer"),
  );
}

function stratumTitle(pair, stratum) {
  if (stratum.pooled) return [`${count(stratum.pooled)} smaller strata, with the sum of their expected rows`];
  if (!pair.given.length) return ["All rows"];
  return pair.given.flatMap((i, k) => [k ? ", " : "", name(i), " = ", el("bdi", {}, stratum.labels[k])]);
}

/** A table with expected counts; for pooled strata these are given, and their information is unknown. */
function table(title, cells, width, { expected: given = null, pooled = 0 } = {}) {
  const expected = given ?? independent(cells, width);
  const information = sum(cells.map((cell, k) => (cell ? cell * Math.log2(cell / expected[k]) : 0)));
  return { title, cells, width, expected, pooled, information: pooled ? -1 : Math.max(0, information) };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** The cells with each negative number −k replaced by k zeros. */
const unpackZeros = (cells) => cells.flatMap((cell) => (cell < 0 ? Array(-cell).fill(0) : [cell]));

/** Counts expected under independence: row sum times column sum divided by the total. */
function independent(cells, width) {
  const total = sum(cells) || 1;
  const rowSum = (row) => sum(cells.slice(row * width, (row + 1) * width));
  const columnSum = (column) => sum(cells.filter((_, k) => k % width === column));
  return cells.map((_, k) => (rowSum(Math.floor(k / width)) * columnSum(k % width)) / total);
}

/** A table as a heat map, without levels that do not occur in it. */
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
  const inBits = pooled ? "" : `, ${bits(information)} bits`;
  return el(
    "figure",
    { class: "stratum" },
    el("figcaption", {}, title, el("br"), el("span", { class: "quiet" }, `${count(sum(cells))} rows${inBits}`)),
    el("table", { class: "heat" }, el("thead", {}, head), el("tbody", {}, body)),
  );
}

/** A cell colored by its distance from the expected count in standard deviations, with full color at five. */
function heatCell(observed, expected) {
  const deviation = expected > 0 ? (observed - expected) / Math.sqrt(expected) : 0;
  const shownExpected = expected < 10 ? expected.toFixed(1) : count(Math.round(expected));
  const attributes = { class: deviation > 0 ? "more" : "less", title: `${count(observed)} rows, ${shownExpected} expected` };
  const node = el("td", attributes, count(observed), el("small", {}, shownExpected));
  node.style.setProperty("--much", Math.min(45, Math.abs(deviation) * 9).toFixed(0));
  return node;
}
