// The drawing: boxes, lines, and highlighting.

const drawing = byId("drawing");
const strongest = Math.max(1, ...report.edges.map((edge) => edge.strength ?? 0));
const gapLayer = shape("g");
const edgeShapes = report.edges.map(drawEdge);
const nodeShapes = report.variables.map(drawNode);

function drawNode(variable, i) {
  return shape(
    "g",
    { class: "node", "data-variable": i, transform: `translate(${variable.x} ${variable.y})` },
    shape("title", {}, variable.label),
    shape("rect", {
      x: -variable.width / 2, y: -report.box_height / 2, width: variable.width, height: report.box_height, rx: 7,
    }),
    shape("text", {}, variable.label),
  );
}

/** The shape of an edge; null if it is not drawn, because the graph is dense and the edge is not among the strongest. */
function drawEdge(edge, k) {
  if (!edge.route.length) return null;
  const strength = Math.max(0, edge.strength ?? 0); // a required edge may cost bits
  const weight = 1.3 + 2.7 * (Math.log1p(strength) / Math.log1p(strongest));
  const [x, y] = edge.route.at(-1);
  const [x0, y0] = edge.route[0];
  const out = Math.sign(edge.route[1][0] - x0) || 1; // an edge without a cause may be drawn from right to left
  const into = Math.sign(x - edge.route.at(-2)[0]) || 1;
  const back = edge.directed ? 8 : 0; // the line ends inside the arrowhead, so that the tip is sharp
  const line = curve([...edge.route.slice(0, -1), [x - back * into, y]]);
  const size = 3.4 + weight * 0.6;
  return shape(
    "g",
    { class: "edge", "data-edge": k },
    shape("title", {}, edgeText(edge)),
    shape("path", { class: "reach", d: line }),
    shape("path", { class: edge.contested ? "line contested" : "line", d: line, "stroke-width": weight.toFixed(2) }),
    edge.directed ? shape("path", { class: "head", d: `M${x} ${y}l${-10 * into} ${-size}v${2 * size}z` }) : null,
    edge.sign === "↔" ? shape("path", { class: "head", d: `M${x0} ${y0}l${10 * out} ${-size}v${2 * size}z` }) : null,
    edge.sign.startsWith("o") ? shape("circle", { class: "open", cx: x0 + 4 * out, cy: y0, r: 3.6 }) : null,
    edge.sign.endsWith("o") ? shape("circle", { class: "open", cx: x - 4 * into, cy: y, r: 3.6 }) : null,
  );
}

function edgeText(edge) {
  return `${labels[edge.a]} ${edge.sign} ${labels[edge.b]}`;
}

/** A path through the points: curved between layers (every other step), straight within a layer. */
function curve(points) {
  const steps = points.slice(1).map(([x, y], k) => {
    if (k % 2) return `H${x}`;
    const middle = (points[k][0] + x) / 2;
    return `C${middle} ${points[k][1]} ${middle} ${y} ${x} ${y}`;
  });
  return `M${points[0].join(" ")}${steps.join("")}`;
}

function draw() {
  const edges = report.edges.length + report.edges_left_out;
  drawing.setAttribute("aria-label", `Graph of ${count(labels.length)} variables and ${count(edges)} edges`);
  byId("marks").hidden = !report.edges.some((edge) => /o|↔/.test(edge.sign));
  drawing.append(gapLayer, ...edgeShapes.filter(Boolean), ...nodeShapes);
  if (report.edges_drawn < edges) {
    byId("drawn").textContent = `The graph is too dense to draw: shown are ${count(report.edges_drawn)} of ${count(edges)} ` +
      "edges, the strongest ones and those that connect the variables. Choose a variable to see all of its edges.";
  }
}

/** A straight line between two variables whose edge is missing or not in the drawing. */
function straight(a, b, attributes) {
  const [from, to] = [report.variables[a], report.variables[b]];
  return shape("path", { "stroke-width": 2.5, ...attributes, d: `M${from.x} ${from.y}L${to.x} ${to.y}` });
}

/** Give each node the class of its role; if there are roles at all, nodes without one are faded. */
function highlight(roles, edgeState = () => false) {
  const any = roles.size > 0;
  nodeShapes.forEach((node, i) => node.setAttribute("class", `node ${roles.get(i) ?? (any ? "faded" : "")}`));
  edgeShapes.forEach((node, k) => {
    const state = edgeState(report.edges[k]);
    node?.setAttribute("class", `edge ${state === "chosen" ? "chosen" : any && !state ? "faded" : ""}`);
  });
  gapLayer.replaceChildren();
}

const neighbors = ({ parents, children, undecided }) => [...parents, ...children, ...undecided];
const isDrawn = (a, b) => report.edges.some((edge) => connects(edge, a, b) && edge.route.length);

/** Highlight a variable and its Markov blanket. */
function highlightVariable(i) {
  const variable = report.variables[i];
  const roles = new Map();
  for (const [role, members] of blanket(variable)) for (const member of members) roles.set(member, role);
  roles.set(i, "self");
  const children = new Set(variable.children);
  const fromSpouse = (edge) => edge.directed && children.has(edge.b) && roles.has(edge.a);
  highlight(roles, (edge) => edge.a === i || edge.b === i || fromSpouse(edge));
  gapLayer.append(...neighbors(variable).filter((j) => !isDrawn(i, j)).map((j) => straight(i, j, { class: "line" })));
}

/** Highlight two variables, their edge or missing edge, and the conditioning set of their test. */
function highlightPair(a, b, given) {
  const roles = new Map(given.map((i) => [i, "given"]));
  roles.set(a, "self").set(b, "self");
  highlight(roles, (edge) => connects(edge, a, b) && "chosen");
  const adjacent = neighbors(report.variables[a]).includes(b);
  if (!isDrawn(a, b)) gapLayer.append(straight(a, b, { class: adjacent ? "line chosen" : "gap" }));
}

const connects = (edge, a, b) => (edge.a === a && edge.b === b) || (edge.a === b && edge.b === a);

const blanket = (variable) => [
  ["spouse", variable.spouses],
  ["undecided", variable.undecided],
  ["child", variable.children],
  ["parent", variable.parents],
];
