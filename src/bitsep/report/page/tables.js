// Tables that can be sorted and filtered; the rows of long tables are added on demand.

const PAGE = 25;
const PRINTED = 1000; // rows

/**
 * columns: {title, cell(row), value(row) to sort by, number, down, wide}: numbers are sorted from the largest down
 * unless `down` says otherwise; wide columns are left out on a small screen.
 * words(row): the text that the filter searches.
 */
function list({ title, columns, rows, sortBy, words, page = PAGE }) {
  const downAtFirst = (k) => columns[k].down ?? columns[k].number ?? false;
  let order = { column: sortBy, down: downAtFirst(sortBy) };
  let shown = page;
  const searchable = rows.map((row) => words(row).toLowerCase());
  const kind = (column) => [column.number && "number", column.wide && "wide"].filter(Boolean).join(" ") || null;
  const body = el("tbody");
  const note = el("p", { class: "quiet paging", "aria-live": "polite" });
  const more = el("button", { type: "button", class: "paging", click: () => render(shown + 8 * page) }, "Show more");
  const filter = el("input", { type: "search", placeholder: "Filter by variable", input: () => render(page) });
  const sorter = (title, k) => el("button", { type: "button", click: () => sort(k) }, title);
  const heads = columns.map((column, k) => el("th", { scope: "col", class: kind(column) }, sorter(column.title, k)));

  function sort(k) {
    order = { column: k, down: order.column === k ? !order.down : downAtFirst(k) };
    render(shown);
  }

  function render(limit) {
    shown = limit;
    const terms = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const kept = rows.filter((_, k) => terms.every((term) => searchable[k].includes(term)));
    const { value } = columns[order.column];
    kept.sort((one, two) => compare(value(one), value(two), order.down));
    heads.forEach((head, k) => {
      head.removeAttribute("aria-sort");
      if (k === order.column) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    });
    const line = (row) => el("tr", {}, columns.map((column) => el("td", { class: kind(column) }, column.cell(row))));
    body.replaceChildren(...kept.slice(0, shown).map(line));
    const counted = `${count(Math.min(shown, kept.length))} of ${count(kept.length)} shown`;
    note.textContent = kept.length > shown || terms.length ? counted : "";
    more.hidden = kept.length <= shown;
  }

  let before = page;
  addEventListener("beforeprint", () => {
    before = shown;
    render(Math.max(shown, PRINTED));
  });
  addEventListener("afterprint", () => render(before));
  render(page);
  return [
    el("div", { class: "bar" }, el("label", { class: "grow" }, "Filter ", filter)),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table: ${title}` },
      el("table", { class: "list" }, el("thead", {}, el("tr", {}, heads)), body),
    ),
    note,
    more,
  ];
}

/** Compare numbers by size and texts by alphabet; unknown values come last in both directions. */
function compare(one, two, down) {
  if (one === null || two === null) return (one === null) - (two === null);
  const order = typeof one === "number" ? one - two : one.localeCompare(two, "en", { numeric: true });
  return down ? -order : order;
}

/** A button that selects a variable or a pair and scrolls to the panel. */
const showButton = (selection, ...children) =>
  el("button", { type: "button", class: "link", click: () => select({ ...selection, jump: true }) }, ...children);
const pairButton = (row, sign) => showButton({ pair: [row.a, row.b] }, name(row.a), sign, name(row.b));
const pairWords = (row) => [row.a, row.b, ...(row.given ?? [])].map((i) => labels[i]).join(" ");

const numeric = (title, key, show = bits, rest = {}) => ({
  title, number: true, value: (row) => row[key], cell: (row) => show(row[key]), ...rest,
});
const given = {
  title: report.by_score ? "other parents" : "given",
  value: (row) => (row.given ? row.given.length : null),
  cell: (row) => (row.given ? (report.by_score && !row.given.length ? "none" : names(row.given)) : "excluded"),
};

/** Columns that only searches by tests have. */
const byTests = (...columns) => (report.by_score ? [] : columns);

function edgeTable() {
  const entropyShare = (share) => (share === null ? "–" : precisePercent(share));
  const conflict = () => el("span", { class: "tag conflict" }, "conflict");
  const doubtful = (edge) => el("span", { class: "tag doubtful" }, `doubtful ${edge.doubtful}`);
  const resampled = report.edges.some((edge) => edge.support);
  const share = (edge) => edge.support?.edge ?? null;
  return list({
    title: "Edges",
    rows: report.edges,
    words: pairWords,
    sortBy: 1,
    page: 1000,
    columns: [
      {
        title: "edge",
        value: edgeText,
        cell: (edge) => [pairButton(edge, arrowOf(edge)), edge.contested ? [" ", conflict()] : null, edge.doubtful ? [" ", doubtful(edge)] : null],
      },
      {
        ...numeric("bits", "strength"),
        cell: (edge) => [bits(edge.strength), measure((edge.strength ?? 0) / strongest)],
      },
      numeric("bits per row", "per_row", perRow, { wide: true }),
      numeric("share of entropy", "entropy_share", entropyShare, { wide: true }),
      ...byTests(numeric("threshold", "threshold", bits, { wide: true }), numeric("margin", "margin")),
      { ...given, wide: true },
      ...(resampled
        ? [
            { ...numeric("support"), wide: true, value: share, cell: (edge) => percent(share(edge)) },
            numeric("probability", "probability", percent),
          ]
        : []),
      ...byTests(numeric("tests", "tests", count, { wide: true })),
    ],
  });
}

function missingTable() {
  const cost = ({ score }) => (score === null ? null : -score);
  const few = () => [" ", el("span", { class: "tag warning" }, "few rows")];
  const rows = { ...numeric("rows", "rows"), cell: (pair) => [count(pair.rows), pair.few_rows ? few() : null] };
  const resampled = report.separations.some((pair) => pair.support !== null);
  return list({
    title: "Missing edges",
    rows: report.separations,
    words: pairWords,
    sortBy: 1,
    columns: [
      { title: "pair", value: ({ a, b }) => `${labels[a]} ${labels[b]}`, cell: (pair) => pairButton(pair, INDEPENDENT) },
      report.by_score
        ? { ...numeric("bits it would cost"), down: false, value: cost, cell: (pair) => bits(cost(pair)) }
        : numeric("margin", "score"),
      given,
      ...(report.separations.some((pair) => pair.few_rows) ? [rows] : []),
      ...byTests(
        numeric("bits", "strength", bits, { wide: true }),
        numeric("threshold", "threshold", bits, { wide: true }),
      ),
      ...(resampled ? [numeric("support", "support", percent, { wide: true }), numeric("probability", "probability", percent, { wide: true })] : []),
      ...byTests(numeric("tests", "tests", count, { wide: true })),
    ],
  });
}

function variableTable() {
  const degree = ({ parents, children, undecided }) => parents.length + children.length + undecided.length;
  const levels = (variable) =>
    variable.levels.flatMap((level, k) => [k ? ", " : "", el("bdi", {}, level.label), ` ${count(level.rows)}`]);
  const complete = report.variables.every((variable) => !variable.missing);
  const missing = ({ missing: rows }) => [count(rows), complete ? null : measure(rows / report.rows)];
  const data = [
    numeric("levels", "n_levels", count),
    { ...numeric("missing", "missing"), cell: missing },
    { title: "rows per level", wide: true, value: (variable) => variable.n_levels, cell: levels },
  ];
  return list({
    title: "Variables",
    rows: report.variables.map((variable, i) => ({ ...variable, i, edges: degree(variable) })),
    words: (variable) => variable.label,
    sortBy: 0,
    columns: [
      { title: "variable", value: ({ label }) => label, cell: ({ i }) => showButton({ variable: i }, name(i)) },
      numeric("edges", "edges", count),
      ...(report.has_data ? data : []),
    ],
  });
}

/** The columns of the data as they were read, in their order. */
function columnTable(columns) {
  const plain = ({ label }) => el("bdi", { class: "name" }, label);
  const shown = (column) =>
    column.variable === null ? plain(column) : showButton({ variable: column.variable }, plain(column));
  const missing = ({ missing_share: share }) => (share ? [precisePercent(share), measure(share)] : "");
  const perLevel = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 });
  return list({
    title: "Columns",
    rows: columns.map((column, i) => ({ ...column, i })),
    words: ({ label, kind, alerts }) => [label, kind, ...alerts].join(" "),
    sortBy: 0,
    columns: [
      { title: "no.", wide: true, value: ({ i }) => i, cell: ({ i }) => count(i + 1) },
      { title: "column", value: ({ label }) => label, cell: shown },
      { title: "kind", value: ({ kind }) => kind, cell: ({ kind }) => kind },
      numeric("levels", "n_levels", count),
      { ...numeric("missing", "missing_share"), cell: missing },
      numeric("rows per level", "rows_per_level", perLevel, { wide: true }),
      { title: "most frequent (rows)", wide: true, value: ({ top }) => top, cell: ({ top }) => el("bdi", {}, top) },
      {
        title: "alerts",
        wide: true,
        value: ({ alerts }) => alerts.join(" ") || null,
        cell: ({ variable, alerts }) => alerts.map((text) => tag(text, variable === null ? "warning" : "")),
      },
    ],
  });
}
