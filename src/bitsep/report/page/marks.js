// The line of an edge, with a mark at each end: an arrowhead, a circle, or nothing (a tail).

const LENGTH = 10; // of an arrowhead

/** A route as a path: a straight line of two points, or cubic curves given by their control points. */
function pathOf(route) {
  const [first, ...rest] = route.map(([x, y]) => `${x} ${y}`);
  if (rest.length === 1) return `M${first}L${rest[0]}`;
  return `M${first}${rest.map((point, k) => (k % 3 ? ` ${point}` : `C${point}`)).join("")}`;
}

/** The end of a route, and the unit vector in which the route arrives there. */
function arrival(route) {
  const [x, y] = route.at(-1);
  const [fromX, fromY] = route.findLast(([px, py]) => Math.hypot(px - x, py - y) > 0.5) ?? [x, y - 1];
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  return { x, y, dx: (x - fromX) / length, dy: (y - fromY) / length };
}

/** The route without the part that a mark at its end covers, so that the tip of an arrowhead is sharp. */
function shortened(route, mark) {
  if (mark === "tail") return route;
  const { x, y, dx, dy } = arrival(route);
  const back = LENGTH - 2;
  return [...route.slice(0, -1), [x - back * dx, y - back * dy]];
}

/** The mark at the end of a route as a shape, with that end as its origin, from which it grows; null for a tail. */
function markShape(route, mark, weight, open = false) {
  const { x, y, dx, dy } = arrival(route);
  const at = (child) => shape("g", { transform: `translate(${tenth(x)} ${tenth(y)})` }, child);
  if (mark === "arrow") {
    const half = 3.4 + weight * 0.6;
    const [baseX, baseY] = [-LENGTH * dx, -LENGTH * dy];
    const corners = [[0, 0], [baseX - half * dy, baseY + half * dx], [baseX + half * dy, baseY - half * dx]];
    const d = `M${corners.map((corner) => corner.map(tenth).join(" ")).join("L")}z`;
    return at(shape("path", { class: open ? "head open" : "head", d }));
  }
  if (mark === "circle") return at(shape("circle", { class: "ring", cx: tenth(-4.5 * dx), cy: tenth(-4.5 * dy), r: 4 }));
  return null;
}

const tenth = (number) => Math.round(number * 10) / 10;

/** A straight line without a mark at its start begins in the center of the box, which covers it; from afar there are no boxes. */
function fromCenter(route, mark, { x, y }) {
  return route.length === 2 && mark === "tail" ? [[x, y], route[1]] : route;
}

/** From afar, where there are no boxes, a line goes on from its end to the dot of the variable. */
function stub(route, mark, { x, y }, attributes) {
  if (route.length === 2 && mark === "tail") return null; // it begins in the center
  const [endX, endY] = route.at(-1).map(tenth);
  return shape("path", { ...attributes, class: `${attributes.class} stub`, d: `M${endX} ${endY}L${x} ${y}` });
}

/** Put the line and the marks of an edge into its group, for a route. */
function placeEdge(group, edge, route, weight) {
  const back = (points) => points.toReversed();
  const cutEnd = fromCenter(back(shortened(route, edge.end)), edge.end, scene.places[edge.b]);
  const cutBoth = fromCenter(back(shortened(cutEnd, edge.start)), edge.start, scene.places[edge.a]);
  const line = pathOf(cutBoth.map((point) => point.map(tenth)));
  const kind = `line${edge.contested ? " contested" : edge.doubtful === "edge" ? " doubtful" : ""}`;
  const end = markShape(route, edge.end, weight, Boolean(edge.doubtful));
  const look = { class: kind, "stroke-width": weight.toFixed(2), opacity: opacity(edge) };
  const stubs = [stub(route, edge.end, scene.places[edge.b], look), stub(back(route), edge.start, scene.places[edge.a], look)];
  group.replaceChildren(
    shape("title", {}, edgeText(edge)),
    shape("path", { class: "reach", d: line }),
    shape("path", { ...look, d: line }),
    ...[...stubs, end, markShape(back(route), edge.start, weight)].filter(Boolean),
  );
}

/** Edges with less support are fainter; without bootstrap samples all are alike. */
const opacity = (edge) => (edge.support ? tenth(0.35 + 0.65 * edge.support.edge) : null);

/** The sign of an edge in text, as in the other outputs of bitsep. */
function signOf({ start, end }) {
  if (start === "arrow" && end === "arrow") return "↔";
  const first = { circle: "o", arrow: "←", tail: "" }[start];
  return first + (end === "arrow" ? "→" : end === "circle" ? "—o" : "—");
}
