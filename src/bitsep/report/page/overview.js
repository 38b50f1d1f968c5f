// What helps in a large graph: labels of important variables at any zoom, a map of the whole, and its parts.

const FAR_LABEL = 12; // pixels
const MAX_LABELS = 80;
const labelLayer = shape("g", { class: "labels" });
const degree = ({ parents, children, undecided }) => parents.length + children.length + undecided.length;
const byDegree = report.variables.map((_, i) => i).sort((i, j) => degree(report.variables[j]) - degree(report.variables[i]) || i - j);

/** From afar, variables are dots; those with the most edges, and those that are selected, have a label if there is room. */
function labelFarNodes() {
  const zoomed = scale();
  const far = zoomed < READABLE;
  drawing.classList.toggle("far", far);
  drawing.style.setProperty("--dot", `${Math.min(12, 3.5 / zoomed)}px`);
  drawing.style.setProperty("--mark", Math.max(1, Math.min(2.2, READABLE / zoomed)));
  if (!far) return labelLayer.replaceChildren();
  const faded = (i) => nodeShapes[i].classList.contains("faded");
  const chosen = (i) => /self|parent|child|undecided|spouse|given/.test(nodeShapes[i].getAttribute("class"));
  const order = [...byDegree.filter(chosen), ...byDegree.filter((i) => !chosen(i) && !faded(i))];
  const [size, taken, texts] = [FAR_LABEL / zoomed, [], []];
  for (const i of order) {
    if (texts.length >= MAX_LABELS) break;
    const { x: center, y } = scene.places[i];
    const half = (report.variables[i].width / 2) * (size / 13);
    const seen = center > view.x && center < view.x + view.width; // its label is then moved inside
    const x = seen ? Math.max(view.x + half, Math.min(view.x + view.width - half, center)) : center;
    const box = [x - half, y - 1.9 * size, x + half, y - 0.2 * size];
    const outside = box[2] < view.x || box[0] > view.x + view.width || box[3] < view.y || box[1] > view.y + view.height;
    const hit = taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
    if (!isMember(i) || outside || hit) continue;
    taken.push(box);
    texts.push(shape("text", { x, y: y - 0.8 * size, "font-size": tenth(size), "data-variable": i }, labels[i]));
  }
  return labelLayer.replaceChildren(...texts);
}

/** The map: the whole scene, with a frame around what is visible; shown if that is not everything. */
function drawMap() {
  const map = byId("map");
  const members = scene.places.filter((_, i) => isMember(i));
  const lines = report.edges.filter((_, k) => scene.routes[k]?.length).map(({ a, b }) => [scene.places[a], scene.places[b]]);
  const dot = Math.max(scene.width / 160, scene.height / 110) * 2.5;
  map.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${scene.width + 2 * MARGIN} ${scene.height + 2 * MARGIN}`);
  map.replaceChildren(
    shape("path", { class: "links", d: lines.map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join("") }),
    shape("path", { class: "dots", d: members.map(({ x, y }) => `M${x} ${y}h0`).join(""), "stroke-width": tenth(dot) }),
    shape("rect", { class: "frame" }),
  );
}

function updateMap() {
  const map = byId("map");
  const all = view.width >= scene.width && view.height >= scene.height;
  map.classList.toggle("hidden", all || labels.length < 2);
  const frame = map.querySelector(".frame");
  for (const key of ["x", "y", "width", "height"]) frame?.setAttribute(key, view[key]);
}

/** A click or a drag on the map moves the view there. */
function setUpMap() {
  const map = byId("map");
  const move = (event) => {
    if (!event.buttons) return;
    event.preventDefault();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    show({ ...view, x: x - view.width / 2, y: y - view.height / 2 });
  };
  map.addEventListener("pointerdown", move);
  map.addEventListener("pointermove", move);
}

/** The parts of a large graph, each with its variable of most edges; a click shows the part. */
function partsOverview() {
  if (!report.parts.length) return [];
  const line = ({ hub, members }) => el(
    "li",
    {},
    el("button", { type: "button", class: "link", click: () => showPart(members) }, `${count(members.length)} variables`),
    " around ",
    link(hub),
  );
  const lines = report.parts.map(line);
  const more = el("details", {}, el("summary", {}, `${count(lines.length - 8)} more`), el("ul", { class: "close" }, lines.slice(8)));
  return [lead("Parts of the graph"), el("ul", { class: "close" }, lines.slice(0, 8)), ...(lines.length > 8 ? [more] : [])];
}

/** Zoom to some variables and highlight them. */
function showPart(members) {
  setSteps(0);
  const chosen = new Set(members);
  highlight(new Map(members.map((i) => [i, "part"])), (edge) => chosen.has(edge.a) && chosen.has(edge.b));
  fitTo(members.map((i) => ({ ...scene.places[i], half: report.variables[i].width / 2 })));
}
