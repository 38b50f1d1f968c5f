// The drawing: boxes, lines, and highlighting. A scene is what is drawn: the whole graph or the neighborhood of a variable.

const drawing = byId("drawing");
const strongest = Math.max(1, ...report.edges.map((edge) => edge.strength ?? 0));
const gapLayer = shape("g");
const edgeLayer = shape("g");
const nodeLayer = shape("g");
const edgeShapes = report.edges.map(() => null); // made when they are first drawn
const nodeShapes = report.variables.map(drawNode);

/** The whole graph: positions per variable, routes per edge (empty if the edge is not drawn). */
const wholeGraph = {
  width: report.width,
  height: report.height,
  places: report.variables.map(({ x, y }) => ({ x, y })),
  routes: report.edges.map((edge) => edge.route),
  members: null, // all variables
};
let scene = wholeGraph;

const isMember = (i) => !scene.members || scene.members.has(i);
const isDirected = (edge) => edge.start === "tail" && edge.end === "arrow";
const edgeText = (edge) => `${labels[edge.a]} ${signOf(edge)} ${labels[edge.b]}`;
const connects = (edge, a, b) => (edge.a === a && edge.b === b) || (edge.a === b && edge.b === a);

function drawNode(variable, i) {
  return shape(
    "g",
    { class: "node", "data-variable": i },
    shape("title", {}, variable.label),
    shape("rect", {
      x: -variable.width / 2, y: -report.box_height / 2, width: variable.width, height: report.box_height, rx: 7,
    }),
    shape("circle", { class: "dot", r: 1 }),
    shape("text", {}, variable.label),
  );
}

function weightOf(edge) {
  const strength = Math.max(0, edge.strength ?? 0); // a required edge may cost bits
  return 1.3 + 2.7 * (Math.log1p(strength) / Math.log1p(strongest));
}

/** Draw a scene. */
function setScene(next) {
  scene = next;
  nodeShapes.forEach((node, i) => {
    node.classList.toggle("hidden", !isMember(i));
    if (isMember(i)) node.setAttribute("transform", `translate(${scene.places[i].x} ${scene.places[i].y})`);
  });
  report.edges.forEach((edge, k) => {
    const route = scene.routes[k];
    if (route?.length) {
      edgeShapes[k] ??= edgeLayer.appendChild(shape("g", { class: "edge", "data-edge": k }));
      placeEdge(edgeShapes[k], edge, route, weightOf(edge));
    }
  });
  drawing.classList.toggle("near", Boolean(scene.members));
  showEdges();
  drawMap();
}

/** Whether an edge is shown: it is in the scene, and the filter lets it pass or it is selected. */
const isVisible = (edge, k) => Boolean(scene.routes[k]?.length) && (passes(edge) || edgeShapes[k].classList.contains("chosen"));

/** Hide the other edges, and say how many are shown. */
function showEdges() {
  let shown = 0;
  report.edges.forEach((edge, k) => {
    const visible = isVisible(edge, k);
    edgeShapes[k]?.classList.toggle("hidden", !visible);
    shown += visible;
  });
  const all = report.edges.length + report.edges_left_out;
  const of = `${count(shown)} of ${count(all)} edges`;
  const dense = `The graph is too dense to draw in full: shown are ${of}, the strongest ones and those that connect the ` +
    "variables. Choose a variable to see all of its edges.";
  const text = scene.members
    ? `Shown are ${count(scene.members.size)} of ${count(labels.length)} variables and ${of}.`
    : shown === all ? "" : filtering() ? `Shown are ${of}.` : dense;
  if (byId("drawn").textContent !== text) byId("drawn").textContent = text; // read aloud when it is set
}

/** Parts of the graph have colors, which dots show from afar. */
const partOf = new Map(report.parts.flatMap(({ members }, k) => members.map((i) => [i, `part-${k % 8}`])));

function draw() {
  const edges = report.edges.length + report.edges_left_out;
  drawing.setAttribute("aria-label", `Graph of ${count(labels.length)} variables and ${count(edges)} edges`);
  nodeLayer.append(...nodeShapes);
  drawing.append(gapLayer, edgeLayer, nodeLayer, labelLayer);
  setScene(wholeGraph);
}

/** A straight line between two variables whose edge is missing or not in the drawing. */
function straight(a, b, attributes) {
  const [from, to] = [scene.places[a], scene.places[b]];
  return shape("path", { "stroke-width": 2.5, ...attributes, d: `M${from.x} ${from.y}L${to.x} ${to.y}` });
}

/** Give each node the class of its role; nodes without one are faded, by default if there are roles at all. */
function highlight(roles, edgeState = () => false, fade = roles.size > 0) {
  const roleOf = (i) => roles.get(i) ?? (fade ? "faded" : partOf.get(i) ?? "");
  nodeShapes.forEach((node, i) => node.setAttribute("class", `node ${roleOf(i)}${isMember(i) ? "" : " hidden"}`));
  edgeShapes.forEach((node, k) => {
    const state = edgeState(report.edges[k]);
    node?.setAttribute("class", `edge ${state === "chosen" ? "chosen" : fade && !state ? "faded" : ""}`);
  });
  showEdges();
  gapLayer.replaceChildren();
  labelFarNodes();
}

const neighbors = ({ parents, children, undecided }) => [...parents, ...children, ...undecided];
const isDrawn = (a, b) => report.edges.some((edge, k) => connects(edge, a, b) && scene.routes[k]?.length);

/** Highlight a variable and its Markov blanket. */
function highlightVariable(i) {
  const variable = report.variables[i];
  const roles = new Map();
  for (const [role, members] of blanket(variable)) for (const member of members) roles.set(member, role);
  roles.set(i, "self");
  const children = new Set(variable.children);
  const fromSpouse = (edge) => isDirected(edge) && children.has(edge.b) && roles.has(edge.a);
  highlight(roles, (edge) => edge.a === i || edge.b === i || fromSpouse(edge));
  const undrawn = neighbors(variable).filter((j) => isMember(i) && isMember(j) && !isDrawn(i, j));
  gapLayer.append(...undrawn.map((j) => straight(i, j, { class: "line" })));
}

/** Highlight two variables, their edge or missing edge, and the conditioning set of their test. */
function highlightPair(a, b, given) {
  const roles = new Map(given.map((i) => [i, "given"]));
  roles.set(a, "self").set(b, "self");
  highlight(roles, (edge) => connects(edge, a, b) && "chosen");
  const adjacent = neighbors(report.variables[a]).includes(b);
  if (!isDrawn(a, b)) gapLayer.append(straight(a, b, { class: adjacent ? "line chosen" : "gap" }));
}

const blanket = (variable) => [
  ["spouse", variable.spouses],
  ["undecided", variable.undecided],
  ["child", variable.children],
  ["parent", variable.parents],
];
