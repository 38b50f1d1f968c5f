// The neighborhood of a variable, drawn by itself: rows from top to bottom, causes above their effects.

const MAX_GROUP = 6; // variables side by side; with more undirected edges the places of the whole graph are kept
const MAX_DRAWN_ANEW = 80; // variables
const BETWEEN = 26; // boxes of a group

const adjacent = report.variables.map(() => []);
for (const edge of report.edges) {
  adjacent[edge.a].push(edge.b);
  adjacent[edge.b].push(edge.a);
}

/** The variables at most so many steps away. */
function around(center, steps) {
  const found = new Set([center]);
  let border = [center];
  for (let step = 0; step < steps; step += 1) {
    border = border.flatMap((i) => adjacent[i].filter((j) => !found.has(j) && found.add(j)));
  }
  return found;
}

/** A scene with the variables at most so many steps away. */
function neighborhoodScene(center, steps) {
  const members = around(center, steps);
  const inside = report.edges.flatMap((edge, k) => (members.has(edge.a) && members.has(edge.b) ? [k] : []));
  const groups = groupsOf(members, inside);
  if (members.size <= MAX_DRAWN_ANEW && groups.every((group) => group.length <= MAX_GROUP)) {
    return drawnAnew(members, inside, groups);
  }
  return cut(members, inside);
}

/** The variables connected by edges without a direction, which share a row so that their places suggest none. */
function groupsOf(members, inside) {
  const joined = new Map([...members].map((i) => [i, []]));
  for (const k of inside) {
    const { a, b, start, end } = report.edges[k];
    if ((start === "arrow") === (end === "arrow")) {
      joined.get(a).push(b);
      joined.get(b).push(a);
    }
  }
  const seen = new Set();
  const walk = (i) => (seen.has(i) ? [] : (seen.add(i), [i, ...joined.get(i).flatMap(walk)]));
  const fromEnds = [...members].sort((i, j) => joined.get(i).length - joined.get(j).length || i - j);
  return fromEnds.map(walk).filter((group) => group.length);
}

/** A layout by dagre, in which a group is one node. */
function drawnAnew(members, inside, groups) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 16, ranksep: 46, marginx: 0, marginy: 0 });
  const groupOf = new Map(groups.flatMap((group, g) => group.map((i) => [i, g])));
  const widthOf = (group) => group.reduce((sum, i) => sum + report.variables[i].width + BETWEEN, -BETWEEN);
  groups.forEach((group, g) => graph.setNode(String(g), { width: widthOf(group), height: report.box_height }));
  const arrows = inside.filter((k) => groupOf.get(report.edges[k].a) !== groupOf.get(report.edges[k].b));
  for (const k of arrows) {
    const [from, to] = ends(report.edges[k]).map((i) => String(groupOf.get(i)));
    graph.setEdge(from, to, {}, String(k));
  }
  dagre.layout(graph);
  const places = report.variables.map(() => ({ x: 0, y: 0 }));
  groups.forEach((group, g) => {
    const { x, y } = graph.node(String(g));
    let left = x - widthOf(group) / 2;
    for (const i of group) {
      places[i] = { x: tenth(left + report.variables[i].width / 2), y: tenth(y) };
      left += report.variables[i].width + BETWEEN;
    }
  });
  const routes = report.edges.map(() => []);
  for (const k of inside) {
    const { a, b } = report.edges[k];
    routes[k] = lineInRow(places, a, b) ?? lineBetween(places, a, b);
  }
  const drawn = arrows.map((k) => {
    const [from, to] = ends(report.edges[k]);
    const { points } = graph.edge({ v: String(groupOf.get(from)), w: String(groupOf.get(to)), name: String(k) });
    return { k, from, to, bends: points.slice(1, -1) };
  });
  const [starts, tips] = [spread(drawn, "from", "to", places), spread(drawn, "to", "from", places)];
  for (const { k, from, to, bends } of drawn) {
    const route = curveThrough(starts.get(k), bends, tips.get(k));
    if (route) routes[k] = from === report.edges[k].a ? route : route.toReversed();
  }
  return framed(members, places, routes);
}

/** A scene whose upper left corner is that of its boxes and lines. */
function framed(members, places, routes) {
  const boxes = [...members].map((i) => ({ ...places[i], half: report.variables[i].width / 2 }));
  const points = routes.flat();
  const xs = [...boxes.flatMap(({ x, half }) => [x - half, x + half]), ...points.map(([x]) => x)];
  const ys = [...boxes.flatMap(({ y }) => [y - report.box_height / 2, y + report.box_height / 2]), ...points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return {
    width: Math.max(...xs) - left,
    height: Math.max(...ys) - top,
    places: places.map(({ x, y }) => ({ x: tenth(x - left), y: tenth(y - top) })),
    routes: routes.map((route) => route.map(([x, y]) => [tenth(x - left), tenth(y - top)])),
    members,
  };
}

/** The two ends of an edge, the one without an arrowhead first. */
const ends = ({ a, b, start, end }) => (start === "arrow" && end !== "arrow" ? [b, a] : [a, b]);

/** Where edges meet the side of a box, by edge: beside each other, in the order of the boxes at their other ends. */
function spread(drawn, here, there, places) {
  const found = new Map();
  for (const i of new Set(drawn.map((edge) => edge[here]))) {
    const own = drawn.filter((edge) => edge[here] === i).sort((one, two) => places[one[there]].x - places[two[there]].x);
    const gap = Math.min(14, (report.variables[i].width - 14) / Math.max(own.length - 1, 1));
    own.forEach(({ k }, n) => found.set(k, { x: tenth(places[i].x + gap * (n - (own.length - 1) / 2)), y: places[i].y }));
  }
  return found;
}

/** Curves from the lower side of a box to the upper side of another one; null if that is not below. */
function curveThrough(from, bends, to) {
  const half = report.box_height / 2;
  const [top, bottom] = [from.y + half, to.y - half];
  if (bottom <= top) return null;
  const passed = bends.length > 1 ? bends.filter(({ y }) => y > top && y < bottom) : [];
  const route = [[from.x, top]];
  for (const { x, y } of [...passed, { x: to.x, y: bottom }]) {
    const [lastX, lastY] = route.at(-1);
    const middle = (lastY + y) / 2;
    route.push([lastX, middle], [x, middle], [x, y]);
  }
  return route;
}

/** A curve below the boxes between two boxes of a row; null if they are neighbors there, or not in one row. */
function lineInRow(places, a, b) {
  const [left, right] = places[a].x < places[b].x ? [a, b] : [b, a];
  const [start, end] = [places[left].x + report.variables[left].width / 2, places[right].x - report.variables[right].width / 2];
  if (places[a].y !== places[b].y || end - start <= BETWEEN + 0.5) return null;
  const below = places[a].y + report.box_height / 2;
  const deep = below + Math.min(30, 10 + 0.06 * (end - start));
  const inner = Math.min(report.variables[a].width, report.variables[b].width) / 4;
  const route = [[start - inner, below], [start, deep], [end, deep], [end + inner, below]].map((point) => point.map(tenth));
  return left === a ? route : route.toReversed();
}

/** A straight line between the borders of two boxes. */
function lineBetween(places, a, b) {
  const border = (i, j) => {
    const [dx, dy] = [places[j].x - places[i].x, places[j].y - places[i].y];
    const share = Math.min(report.variables[i].width / 2 / Math.abs(dx), report.box_height / 2 / Math.abs(dy), 0.5);
    return [tenth(places[i].x + dx * share), tenth(places[i].y + dy * share)];
  };
  return [border(a, b), border(b, a)];
}

/** A part of the whole graph, at its places. */
function cut(members, inside) {
  const routes = report.edges.map(() => []);
  for (const k of inside) {
    const { a, b, route } = report.edges[k];
    routes[k] = route.length ? route : lineBetween(wholeGraph.places, a, b);
  }
  return framed(members, wholeGraph.places, routes);
}
