// Tables that sort and filter; long ones grow on demand, so that thousands of rows cost nothing until asked for.

const PAGE = 25;

/**
 * columns: {title, cell(row), value(row) to sort by, number, wide}; wide ones are left out on a phone.
 * words(row): what a filter looks through, or null for a table without one.
 */
function list({ title, columns, rows, sortBy, words = null, page = PAGE }) {
  let order = { column: sortBy, down: columns[sortBy].number ?? false };
  let shown = page;
  const searchable = words ? rows.map((row) => words(row).toLowerCase()) : [];
  const body = el("tbody");
  const note = el("p", { class: "quiet paging", "aria-live": "polite" });
  const more = el("button", { type: "button", class: "paging", click: () => ((shown += 8 * page), render()) }, "Show more");
  const filter = el("input", { type: "search", placeholder: "Filter by variable", input: () => ((shown = page), render()) });
  const kind = (column) => [column.number ? "number" : "", column.wide ? "wide" : ""].join(" ").trim() || null;
  const heads = columns.map((column, k) =>
    el("th", { scope: "col", class: kind(column) }, el("button", { type: "button", click: () => sort(k) }, column.title)));

  function sort(k) {
    order = { column: k, down: order.column === k ? !order.down : columns[k].number ?? false };
    render();
  }

  function render() {
    const terms = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = words ? rows.filter((_, k) => terms.every((term) => searchable[k].includes(term))) : [...rows];
    const { value } = columns[order.column];
    kept.sort((one, two) => compare(value(one), value(two), order.down));
    heads.forEach((head, k) => {
      head.removeAttribute("aria-sort");
      if (k === order.column) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    });
    body.replaceChildren(...kept.slice(0, shown).map((row) => el("tr", {}, columns.map((column) => el("td", { class: kind(column) }, column.cell(row))))));
    note.textContent = kept.length > shown || terms.length ? `${count(Math.min(shown, kept.length))} of ${count(kept.length)} shown` : "";
    more.hidden = kept.length <= shown;
  }

  render();
  return [
    words ? el("div", { class: "bar" }, el("label", { class: "grow" }, "Filter ", filter)) : null,
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
      el("table", { class: "list" }, el("thead", {}, el("tr", {}, heads)), body)),
    note,
    more,
  ].filter(Boolean);
}

/** Numbers by size, texts by alphabet; what is unknown comes last either way. */
function compare(one, two, down) {
  if (one === null || two === null) return (one === null) - (two === null);
  const order = typeof one === "number" ? one - two : one.localeCompare(two, "en", { numeric: true });
  return down ? -order : order;
}

const pairButton = (row, sign) =>
  el("button", { type: "button", class: "link", click: () => select({ pair: [row.a, row.b], jump: true }) }, name(row.a), sign, name(row.b));
const pairWords = (row) => [row.a, row.b, ...(row.given ?? [])].map((i) => labels[i]).join(" ");
const numeric = (title, key, show = bits, rest = {}) => ({ title, number: true, value: (row) => row[key], cell: (row) => show(row[key]), ...rest });
const given = { title: "given", wide: true, value: (row) => (row.given ? row.given.length : null), cell: (row) => (row.given ? names(row.given) : "not tested") };

function edgeTable() {
  const bootstrap = report.edges.some((edge) => edge.support);
  return list({
    title: "Edges",
    rows: report.edges,
    words: pairWords,
    sortBy: 1,
    page: 1000,
    columns: [
      { title: "edge", value: edgeText, cell: (edge) => [pairButton(edge, edge.arrow ? " → " : " — "), edge.contested ? el("span", { class: "tag conflict" }, "conflict") : null] },
      { ...numeric("strength in bits", "strength"), cell: (edge) => [bits(edge.strength), measure((edge.strength ?? 0) / strongest)] },
      numeric("demanded", "threshold", bits, { wide: true }),
      numeric("survives by", "margin"),
      given,
      ...(bootstrap ? [{ title: "in resamples", number: true, value: (edge) => edge.support?.edge ?? null, cell: (edge) => percent(edge.support?.edge ?? null) }] : []),
      numeric("tests", "tests", count, { wide: true }),
    ],
  });
}

function missingTable() {
  const bootstrap = report.separations.some((pair) => pair.support !== null);
  return list({
    title: "Missing edges",
    rows: report.separations,
    words: pairWords,
    sortBy: 1,
    columns: [
      { title: "pair", value: (pair) => `${labels[pair.a]} ${labels[pair.b]}`, cell: (pair) => pairButton(pair, APART) },
      numeric("score in bits", "score"),
      { ...given, wide: false },
      numeric("strength", "strength", bits, { wide: true }),
      numeric("demanded", "threshold", bits, { wide: true }),
      ...(bootstrap ? [numeric("in resamples", "support", percent)] : []),
      numeric("tests", "tests", count, { wide: true }),
    ],
  });
}

function variableTable() {
  const rows = report.variables.map((variable, i) => ({ ...variable, i, edges: variable.parents.length + variable.children.length + variable.undecided.length }));
  const shown = (variable) => variable.levels.flatMap((level, k) => [k ? ", " : "", el("bdi", {}, level.label), ` ${count(level.rows)}`]);
  const data = [numeric("levels", "n_levels", count), numeric("missing", "missing", count), { title: "rows per level", wide: true, value: (v) => v.n_levels, cell: shown }];
  return list({
    title: "Variables",
    rows,
    words: (variable) => variable.label,
    sortBy: 0,
    columns: [
      { title: "variable", value: (v) => v.label, cell: (v) => el("button", { type: "button", class: "link", click: () => select({ variable: v.i, jump: true }) }, name(v.i)) },
      numeric("edges", "edges", count),
      ...(report.has_data ? data : []),
    ],
  });
}
