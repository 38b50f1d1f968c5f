// What helps in a large graph: a map of the whole, and its parts.

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
  const more = el("details", {}, el("summary", {}, `${count(lines.length - LISTED_PARTS)} more`), el("ul", { class: "close" }, lines.slice(LISTED_PARTS)));
  return [lead("Parts of the graph"), el("ul", { class: "close" }, lines.slice(0, LISTED_PARTS)), ...(lines.length > LISTED_PARTS ? [more] : [])];
}

/** Zoom to some variables and highlight them. */
function showPart(members) {
  setSteps(0);
  const chosen = new Set(members);
  highlight(new Map(members.map((i) => [i, "part"])), (edge) => chosen.has(edge.a) && chosen.has(edge.b));
  fitTo(members.map((i) => ({ ...scene.places[i], half: report.variables[i].width / 2 })));
}
