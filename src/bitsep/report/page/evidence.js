// The panel beside the graph: why two variables are joined or not, with the counts behind it; or all about one.

const panel = byId("evidence");
const APART = " ⊥ "; // independent of: the sign between two variables without an edge

const arrowOf = (edge) => (edge.arrow ? " → " : " — ");
const lead = (text) => el("p", { class: "lead" }, text);
const quiet = (...children) => el("p", { class: "quiet" }, ...children);

function showHint() {
  panel.replaceChildren(
    el("p", {}, "Choose an edge or a variable in the graph, or two variables above."),
    quiet(
      "Every edge is there because no set of variables that was tried separates its two ends; every missing one is ",
      "missing because some set does. Evidence is measured in bits: what two variables tell about each other, less ",
      "what chance alone may account for.",
    ),
    ...closeCalls("Edges that only just survived", report.edges, "margin", arrowOf),
    ...closeCalls("Edges that only just fell", report.separations, "score", () => APART),
  );
}

/** The three pairs whose test was decided by least; none where nothing was measured. */
function closeCalls(title, pairs, key, sign) {
  const nearest = pairs
    .filter((pair) => pair[key] !== null && pair.strength > 0)
    .sort((one, two) => Math.abs(one[key]) - Math.abs(two[key]))
    .slice(0, 3);
  if (!nearest.length) return [];
  const line = (pair) => el("li", {}, pairButton(pair, sign(pair)), ` by ${bits(Math.abs(pair[key]))} bits`);
  return [lead(title), el("ul", { class: "close" }, nearest.map(line))];
}

function showPair(a, b) {
  const edge = report.edges.find((candidate) => joins(candidate, a, b));
  const pair = edge ?? report.separations.find((candidate) => joins(candidate, a, b));
  const [first, second] = edge ? [edge.a, edge.b] : [a, b];
  const joined = neighbors(report.variables[a]).includes(b);
  const heading = el("h3", {}, name(first), edge ? arrowOf(edge) : joined ? " — " : APART, name(second));
  lightPair(a, b, pair?.given ?? []);
  if (pair) return panel.replaceChildren(heading, ...paragraphs(pair.explanation), ...contingency(pair));
  const why = joined
    ? "They have an edge. Of so many edges, this report explains the strongest."
    : "They have no edge. Of so many missing edges, this report explains those nearest to being one.";
  return panel.replaceChildren(heading, el("p", {}, why));
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
  const lines = roles.map(([role, title, members]) => [
    el("dt", { class: role }, title),
    el("dd", {}, members.map((member) => el("span", { class: "item" }, link(member)))),
  ]);
  const found = [
    el("dl", { class: "roles" }, lines),
    quiet("Given these, no other variable tells anything more about it, as far as the graph says."),
  ];
  panel.replaceChildren(
    el("h3", {}, name(i)),
    lead("Markov blanket"),
    ...(roles.length ? found : [el("p", {}, "Empty: no edge leads to it.")]),
    ...(variable.levels ? [lead("Levels"), ...levelBars(variable)] : []),
  );
}

function levelBars(variable) {
  const most = Math.max(1, ...variable.levels.map((level) => level.rows));
  const lines = variable.levels.map((level) => [
    el("bdi", {}, level.label),
    el("span", { class: "number" }, count(level.rows)),
    measure(level.rows / most),
  ]);
  const missing = variable.missing ? [quiet(`${count(variable.missing)} rows miss a value.`)] : [];
  return [el("div", { class: "levels" }, lines), ...missing];
}
