// Starts the page: selection, search, notes, settings, theme.

/** Show a variable, a pair, or nothing; `jump` scrolls the panel into view after a click far below it. */
function select({ variable = null, pair = null, jump = false } = {}) {
  if (variable !== null) {
    byId("search").value = labels[variable];
    showVariable(variable);
    reveal([variable]);
  } else if (pair) {
    [byId("first").value, byId("second").value] = pair;
    showPair(...pair);
    reveal(pair);
  } else {
    byId("search").value = "";
    highlight(new Map());
    showHint();
  }
  byId("found").textContent = "";
  const below = panel.getBoundingClientRect().top > drawing.getBoundingClientRect().bottom; // as on a phone
  const chosen = variable !== null || pair;
  if (chosen && (jump || below)) panel.parentElement.scrollIntoView({ block: below ? "nearest" : "start" });
}

const matches = (text) => labels.flatMap((label, i) => (label.toLowerCase().includes(text.toLowerCase()) ? [i] : []));

function setUpSearch() {
  const search = byId("search");
  byId("labels").append(...labels.map((label) => el("option", { value: label })));
  search.addEventListener("input", (event) => {
    const text = search.value.trim();
    const found = matches(text);
    const exact = labels.indexOf(search.value);
    const picked = event.inputType === "insertReplacementText"; // from the list of suggestions, not typed
    if (!text) return select();
    if (exact >= 0 && (picked || found.length === 1)) return select({ variable: exact });
    highlight(new Map(found.map((i) => [i, "self"])));
    if (!found.length) nodeShapes.forEach((node) => node.setAttribute("class", "node faded"));
    byId("found").textContent = `${count(found.length)} of ${count(labels.length)} variables match`;
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const exact = labels.indexOf(search.value);
    const found = exact >= 0 ? exact : matches(search.value.trim())[0];
    if (search.value.trim() && found !== undefined) select({ variable: found });
  });
}

function setUpPairs() {
  for (const id of ["first", "second"]) byId(id).append(...labels.map((label, i) => el("option", { value: i }, label)));
  if (labels.length > 1) byId("second").value = "1";
  byId("pair").addEventListener("submit", (event) => {
    event.preventDefault();
    const [a, b] = [Number(byId("first").value), Number(byId("second").value)];
    select(a === b ? { variable: a } : { pair: [a, b] });
  });
}

const NOTES = 10; // of each kind; the rest is shown after a click on "more"
const OPEN_COLUMNS = 12; // the table of more columns is folded

/** Add content to a section, below its heading. */
const put = (id, ...content) => byId(id).lastElementChild.append(...content);

const tag = (text, kind) => el("span", { class: `tag ${kind}` }, text);

/** Lists of lines: the first ones, and the rest to unfold; `leftOut` lines are not on the page. */
function folded(first, rest, leftOut) {
  const lines = (items) => el("ul", { class: "notes" }, items);
  const cut = leftOut ? quiet(`${count(leftOut)} more are left out.`) : null;
  const more = () => el("details", {}, el("summary", {}, `${count(rest.length)} more`), lines(rest), cut);
  return [lines(first), ...(rest.length ? [more()] : [])];
}

/** A note with its kind, and a button that shows its pair. */
const noteLine = (note) =>
  el(
    "li",
    {},
    tag(note.kind, note.kind),
    paragraphs(note.explanation).flatMap((paragraph) => [...paragraph.childNodes, " "]),
    note.pair ? showButton({ pair: note.pair }, "Show") : null,
  );

function showNotes() {
  if (!report.notes.length) return put("notes", el("p", {}, "No conflicts, no warnings."));
  const first = ["warning", "doubtful", "conflict", "ambiguous", "decision"].flatMap((kind) =>
    report.notes.filter((note) => note.kind === kind).slice(0, NOTES));
  const rest = report.notes.filter((note) => !first.includes(note));
  return put("notes", ...folded(first.map(noteLine), rest.map(noteLine), report.notes_left_out));
}

function showFit() {
  const { fit: found } = report;
  if (!found) return document.querySelectorAll("#checked, [href='#checked']").forEach((node) => node.remove());
  const lines = found.notes.map(noteLine);
  put("checked", el("p", {}, found.verdict), ...found.lines.map((text) => quiet(text)));
  return lines.length ? put("checked", ...folded(lines.slice(0, NOTES), lines.slice(NOTES), found.notes_left_out)) : undefined;
}

/** The first section: the columns of the data, and what to know about them. */
function showProfile() {
  const { profile } = report;
  if (!profile) return document.querySelectorAll("#profile, [href='#profile']").forEach((node) => node.remove());
  const line = (note) => el("li", {}, tag(note.tag, ["left out", "restricted"].includes(note.tag) ? "warning" : ""), note.text);
  const lines = profile.notes.map(line);
  if (profile.title) put("profile", el("p", {}, `${profile.title}.`));
  if (lines.length) put("profile", ...folded(lines.slice(0, NOTES), lines.slice(NOTES), profile.notes_left_out));
  if (!profile.table.length) return undefined;
  const open = profile.table.length <= OPEN_COLUMNS ? "" : null;
  const heading = el("summary", {}, profile.table.length === 1 ? "The column" : `All ${count(profile.table.length)} columns`);
  return put("profile", el("details", { open }, heading, columnTable(profile.table)));
}

function showSettings() {
  const terms = (facts) => facts.map((fact) => [el("dt", {}, fact.label), el("dd", {}, fact.value)]);
  byId("facts").append(...terms(report.facts).map((pair) => el("div", {}, pair)));
  const code = (title, text) => {
    const lines = el("pre", { tabindex: "0" }, text);
    const copy = el("button", { type: "button", click: () => copyText(lines, copy) }, "Copy");
    return [lead(title), lines, copy];
  };
  put("repeat", el("dl", { class: "settings" }, terms(report.settings)));
  if (report.command) put("repeat", ...code("On the command line", report.command));
  put("repeat", ...code("In Python", report.snippet));
}

/** Select the text and copy it: this also works in a file opened from disk, where navigator.clipboard may not. */
function copyText(node, button) {
  getSelection().selectAllChildren(node);
  button.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl + C to copy";
}

function showTables() {
  put("edges", ...(report.edges.length ? edgeTable() : [el("p", {}, "None.")]));
  if (report.edges_left_out) put("edges", quiet(`${count(report.edges_left_out)} weaker edges are left out.`));
  put("missing", ...(report.separations.length ? missingTable() : [el("p", {}, "None: every pair has an edge.")]));
  const leftOut = report.separations_left_out;
  if (leftOut) put("missing", quiet(`${count(leftOut)} more pairs, farther from an edge, are left out.`));
  put("variables", ...variableTable());
}

function setUpTheme() {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const current = () => document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light");
  const offer = () => (button.textContent = current() === "dark" ? "Light" : "Dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
    offer();
  });
  system.addEventListener("change", offer);
  offer();
}

/** Show the whole graph in print, whatever part is visible on the screen. */
function setUpPrint() {
  let before = view;
  addEventListener("beforeprint", () => {
    before = view;
    show({ x: 0, y: -4, width: report.width, height: report.height + 8 });
  });
  addEventListener("afterprint", () => show(before));
}

setUpTheme();
showSettings();
showProfile();
showNotes();
showFit();
showExpected();
draw();
fit(READABLE);
listen((clicked) => {
  if (!clicked) return select();
  const edge = report.edges[clicked.dataset.edge];
  return select(edge ? { pair: [edge.a, edge.b] } : { variable: Number(clicked.dataset.variable) });
});
setUpSearch();
setUpPairs();
setUpPrint();
addEventListener("keydown", (event) => event.key === "Escape" && select());
showTables();
showHint();
