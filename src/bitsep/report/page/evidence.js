// The panel beside the graph: why two variables have an edge or not, with the counts; or one variable.

const panel = byId("evidence");
const INDEPENDENT = report.by_score ? " and " : " ⊥ "; // between two variables without an edge

const MEANING = report.by_score
  ? "Two variables have an edge if it makes the code of the data shorter. Evidence is measured in bits: by how much the " +
    "code would be longer without an edge of the graph, or with an edge that the graph does not have."
  : "Two variables have an edge if they are dependent given every conditioning set that was tested; they have no edge " +
    "if some set makes them independent. Evidence is measured in bits: the information that two variables share, minus " +
    "the threshold of the test.";

const arrowOf = (edge) => ` ${signOf(edge)} `;
const lead = (text) => el("p", { class: "lead" }, text);
const quiet = (...children) => el("p", { class: "quiet" }, ...children);

function showHint() {
  panel.replaceChildren(
    el("p", {}, "Choose an edge or a variable in the graph, or two variables above."),
    quiet(MEANING),
    ...partsOverview(),
    ...closest("Weakest edges", report.edges, "margin", arrowOf),
    ...closest("Missing edges closest to an edge", report.separations, "score", () => INDEPENDENT),
  );
}

/** The three pairs closest to having, or not having, an edge; none if there are no rows. */
function closest(title, pairs, key, sign) {
  const nearest = pairs
    .filter((pair) => pair[key] !== null && (report.by_score || pair.strength > 0))
    .sort((one, two) => Math.abs(one[key]) - Math.abs(two[key]))
    .slice(0, 3);
  if (!nearest.length) return [];
  const line = (pair) => el("li", {}, pairButton(pair, sign(pair)), ` by ${bits(Math.abs(pair[key]))} bits`);
  return [lead(title), el("ul", { class: "close" }, nearest.map(line))];
}

function showPair(a, b) {
  const edge = report.edges.find((candidate) => connects(candidate, a, b));
  const pair = edge ?? report.separations.find((candidate) => connects(candidate, a, b));
  const [first, second] = edge ? [edge.a, edge.b] : [a, b];
  const adjacent = neighbors(report.variables[a]).includes(b);
  const sign = edge ? arrowOf(edge) : adjacent ? " — " : INDEPENDENT;
  const heading = el("h3", {}, name(first), sign, name(second), permalink({ pair: [a, b] }));
  highlightPair(a, b, pair?.given ?? []);
  if (pair) return panel.replaceChildren(heading, ...paragraphs(pair.explanation), ...contingency(pair));
  const why = adjacent
    ? "They have an edge. The graph has too many edges: this report explains only the strongest."
    : "They have no edge. Too many pairs have none: this report explains only those closest to an edge.";
  return panel.replaceChildren(heading, el("p", {}, why));
}

function showVariable(i) {
  const variable = report.variables[i];
  highlightVariable(i);
  const roles = [
    ["parent", "causes", variable.parents],
    ["child", "effects", variable.children],
    ["undecided", "undirected", variable.undecided],
    ["spouse", "causes of its effects", variable.spouses],
  ].filter(([, , members]) => members.length);
  const lines = roles.map(([role, title, members]) => [
    el("dt", { class: role }, title),
    el("dd", {}, members.map((member) => el("span", { class: "item" }, link(member)))),
  ]);
  const found = [
    el("dl", { class: "roles" }, lines),
    quiet("According to the graph, it is independent of all other variables given these."),
  ];
  panel.replaceChildren(
    el("h3", {}, name(i), permalink({ variable: i })),
    ...nearby(i),
    lead("Markov blanket"),
    ...(roles.length ? found : [el("p", {}, "Empty: it has no edges.")]),
    ...(variable.levels ? [lead("Levels"), ...levelBars(variable)] : []),
  );
}

/** A link to this selection, to be copied. */
const permalink = (selection) =>
  el("a", { class: "permalink", href: addressOf(selection), title: "Link to this selection", "aria-label": "Link to this selection" }, "#");

/** Buttons that draw only the neighborhood of a variable. */
function nearby(i) {
  if (!adjacent[i].length) return [];
  const button = (steps) =>
    el("button", { type: "button", click: () => select({ variable: i, steps }) }, String(steps));
  return [el("p", { class: "nearby" }, "Draw only what is within ", [1, 2, 3].map(button), " steps.")];
}

function levelBars(variable) {
  const largest = Math.max(1, ...variable.levels.map((level) => level.rows));
  const lines = variable.levels.map((level) => [
    el("bdi", {}, level.label),
    el("span", { class: "number" }, count(level.rows)),
    measure(level.rows / largest),
  ]);
  const missing = variable.missing ? [quiet(`Missing in ${count(variable.missing)} rows.`)] : [];
  return [el("div", { class: "levels" }, lines), ...missing];
}
