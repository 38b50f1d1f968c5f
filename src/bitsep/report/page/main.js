// Starts the page: selection, search, notes, settings, theme.

let selected = null; // the variable chosen last

/** Draw the variables at most so many steps around the selected one; 0: the whole graph. */
function setSteps(steps) {
  byId("steps").value = String(steps);
  const whole = !steps || selected === null;
  if (whole && scene === wholeGraph) return;
  setScene(whole ? wholeGraph : neighborhoodScene(selected, steps));
  fit();
}

/**
 * Show a variable, a pair, or nothing; `jump` scrolls the panel into view after a click far below it, `steps` draws
 * the neighborhood of the variable.
 */
function select({ variable = null, pair = null, jump = false, steps = null } = {}) {
  const chosen = variable === null ? pair ?? [] : [variable];
  if (variable !== null) selected = variable;
  if (steps !== null) setSteps(steps);
  else if (!chosen.every(isMember)) setSteps(variable === null ? 0 : Number(byId("steps").value));
  if (variable !== null) {
    byId("search").value = labels[variable];
    showVariable(variable);
  } else if (pair) {
    [byId("first").value, byId("second").value] = pair;
    showPair(...pair);
  } else {
    byId("search").value = "";
    selected = null;
    setSteps(0);
    highlight(new Map());
    showHint();
  }
  reveal(chosen);
  setAddress({ variable, pair, steps: Number(byId("steps").value) });
  byId("found").textContent = "";
  const below = panel.getBoundingClientRect().top > drawing.getBoundingClientRect().bottom; // as on a phone
  if (chosen.length && (jump || below)) panel.parentElement.scrollIntoView({ block: below ? "nearest" : "start" });
}

function setUpSteps() {
  byId("steps").addEventListener("change", () => {
    const steps = Number(byId("steps").value);
    if (selected !== null) return select({ variable: selected, steps });
    byId("steps").value = "0";
    byId("found").textContent = "Choose a variable first, then how many steps around it to show.";
    return undefined;
  });
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
    highlight(new Map(found.map((i) => [i, "self"])), () => false, true);
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

/** Warnings in full; conflicts, ambiguous triples and decisions folded, each kind with its number. */
function showNotes() {
  if (!report.notes.length) return put("notes", el("p", {}, "No conflicts, no warnings."));
  const ofKind = (kind) => report.notes.filter((note) => note.kind === kind).map(noteLine);
  const warnings = ofKind("warning");
  if (warnings.length) put("notes", ...folded(warnings.slice(0, NOTES), warnings.slice(NOTES), 0));
  for (const [kind, title, meaning] of FOLDED_NOTES) {
    const lines = ofKind(kind);
    if (!lines.length) continue;
    const heading = lines.length === 1 ? title : `${title}s`;
    put("notes", el("details", {}, el("summary", {}, `${count(lines.length)} ${heading}`), quiet(meaning), el("ul", { class: "notes" }, lines)));
  }
  return report.notes_left_out ? put("notes", quiet(`${count(report.notes_left_out)} more are left out.`)) : undefined;
}

const FOLDED_NOTES = [
  ["doubtful", "doubt", "Edges, missing edges and directions against which the bootstrap samples speak."],
  ["conflict", "conflict", "Edges for whose direction the evidence is contradictory."],
  ["ambiguous", "ambiguous triple", "Triples that may or may not be v-structures; no direction follows from them."],
  ["decision", "decision", "Edges whose direction in the DAG (to_dag) differs from the graph."],
];

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
  const heading = el("summary", {}, profile.table.length === 1 ? "The column" : `All ${count(profile.table.length)} columns`);
  return put("profile", el("details", {}, heading, columnTable(profile.table)));
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

/** Show the whole scene and what is folded in print, whatever part is visible on the screen. */
function setUpPrint() {
  let before = view;
  let folded = [];
  addEventListener("beforeprint", () => {
    before = view;
    show({ x: 0, y: -4, width: scene.width, height: scene.height + 8 });
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const node of folded) node.open = true;
  });
  addEventListener("afterprint", () => {
    show(before);
    for (const node of folded) node.open = false;
  });
}

/** The legend explains only the marks that the drawing has. */
function setUpLegend() {
  const has = (test) => report.edges.some(test);
  const unused = [
    ["arrows", !has(isDirected)],
    ["lines", !has((edge) => edge.start === "tail" && edge.end === "tail")],
    ["contests", !has((edge) => edge.contested)],
    ["hidden-causes", !has((edge) => edge.start === "arrow" && edge.end === "arrow")],
    ["circles", !has((edge) => edge.start === "circle" || edge.end === "circle")],
    ["doubts", !has((edge) => edge.doubtful === "edge")],
    ["open-heads", !has((edge) => edge.doubtful && isDirected(edge))],
    ["dots", !report.parts.length],
  ];
  if (report.settings.some(({ label, value }) => label === "selection" && value === "yes")) {
    const say = (kind, text) => (document.querySelector(`.legend .${kind}`).lastChild.textContent = text);
    say("arrows", "cause → effect, or cause of the selection");
    say("lines", "both are causes of the selection");
    say("hidden-causes", "no cause in either direction");
  }
  for (const [kind] of unused.filter(([, gone]) => gone)) document.querySelector(`.legend .${kind}`).remove();
}

/** A drawing of few variables is as high as it needs to be readable without zooming. */
function setUpHeight() {
  const needed = (report.height + 2 * MARGIN) * Math.min(1, drawing.clientWidth / (report.width + 2 * MARGIN));
  const most = matchMedia("(pointer: coarse)").matches ? 0.7 * innerHeight : 1100; // a finger needs room to scroll the page
  if (labels.length <= 60) drawing.style.minHeight = `${Math.min(most, Math.ceil(needed))}px`;
}

setUpTheme();
showSettings();
showProfile();
showNotes();
showFit();
showExpected();
byId("assumed").textContent = report.assumed;
setUpLegend();
setUpFilters();
draw();
highlight(new Map());
setUpHeight();
fit();
listen((clicked) => {
  if (!clicked) return select();
  const edge = report.edges[clicked.dataset.edge];
  return select(edge ? { pair: [edge.a, edge.b] } : { variable: Number(clicked.dataset.variable) });
});
setUpMap();
setUpSteps();
setUpPictures();
setUpSearch();
setUpPairs();
setUpPrint();
addEventListener("keydown", (event) => event.key === "Escape" && !event.target.matches?.("input:not(#search)") && select());
showTables();
showHint();
followAddress();
addEventListener("hashchange", followAddress);
