// Bringing it together: what is selected, the search, notes, settings, theme.

/** Show a variable, a pair, or nothing; `jump` brings the panel into view, for those who clicked far below it. */
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
    light(new Map());
    showHint();
  }
  byId("found").textContent = "";
  const narrow = panel.getBoundingClientRect().top > drawing.getBoundingClientRect().bottom;
  if (jump || (narrow && (variable !== null || pair))) panel.parentElement.scrollIntoView({ block: jump && !narrow ? "start" : "nearest" });
}

const matches = (text) => labels.flatMap((label, i) => (label.toLowerCase().includes(text.toLowerCase()) ? [i] : []));

function setUpSearch() {
  const search = byId("search");
  byId("labels").append(...labels.map((label) => el("option", { value: label })));
  search.addEventListener("input", () => {
    const text = search.value.trim();
    const exact = labels.indexOf(search.value);
    if (!text) return select();
    if (exact >= 0 && matches(text).length === 1) return select({ variable: exact });
    const found = matches(text);
    light(new Map(found.map((i) => [i, "self"])));
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

function showNotes() {
  const items = report.notes.map((note) =>
    el("li", {}, el("span", { class: `tag ${note.kind}` }, note.kind), paragraphs(note.phrase).flatMap((p) => [...p.childNodes]),
      note.pair ? [" ", el("button", { type: "button", class: "link", click: () => select({ pair: note.pair, jump: true }) }, "Show")] : null));
  byId("notes").lastElementChild.append(items.length ? el("ul", { class: "notes" }, items) : el("p", {}, "No conflicts, no warnings."));
}

function showSettings() {
  const pairs = (facts) => facts.map((fact) => el("div", {}, el("dt", {}, fact.label), el("dd", {}, fact.value)));
  byId("facts").append(...pairs(report.facts));
  const code = el("pre", { tabindex: "0" }, report.snippet);
  const copy = el("button", { type: "button", click: () => copyText(code, copy) }, "Copy");
  byId("repeat").lastElementChild.append(
    el("dl", { class: "settings" }, report.settings.map((fact) => [el("dt", {}, fact.label), el("dd", {}, fact.value)])), code, copy);
}

/** Mark the text and copy it: this also works in a file opened from disk, where the newer interface may be refused. */
function copyText(node, button) {
  getSelection().selectAllChildren(node);
  button.textContent = document.execCommand("copy") ? "Copied" : "Marked: copy it with Ctrl + C";
}

function setUpTheme() {
  const button = byId("theme");
  const dark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const name = () => (button.textContent = dark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    name();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();
}

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
showNotes();
draw();
fit(0.7);
listen((clicked) => {
  if (!clicked) return select();
  const edge = report.edges[clicked.dataset.edge];
  return select(edge ? { pair: [edge.a, edge.b] } : { variable: Number(clicked.dataset.variable) });
});
setUpSearch();
setUpPairs();
setUpPrint();
addEventListener("keydown", (event) => event.key === "Escape" && select());
addEventListener("resize", () => show(view));
byId("edges").lastElementChild.append(...(report.edges.length ? edgeTable() : [el("p", {}, "None.")]));
byId("missing").lastElementChild.append(
  ...(report.separations.length ? missingTable() : [el("p", {}, "None: every pair has an edge.")]),
  report.separations_left_out ? el("p", { class: "quiet" }, `${count(report.separations_left_out)} more pairs, farther from having an edge, are left out.`) : "");
byId("variables").lastElementChild.append(...variableTable());
showHint();
