// From afar, variables are dots; those that matter most have a label if there is room.

const FAR_LABEL = 12; // pixels
const MAX_LABELS = 80;
const LISTED_PARTS = 8; // the rest is shown after a click on "more"
const labelLayer = shape("g", { class: "labels" });
const degree = ({ parents, children, undecided }) => parents.length + children.length + undecided.length;
const byDegree = report.variables.map((_, i) => i).sort((i, j) => degree(report.variables[j]) - degree(report.variables[i]) || i - j);
const hubs = new Set(report.parts.slice(0, LISTED_PARTS).map(({ hub }) => hub));

const ruler = el("canvas").getContext("2d");
ruler.font = `600 ${FAR_LABEL}px ${getComputedStyle(document.body).fontFamily}`;
const pixelsOf = (text) => ruler.measureText(text).width;

/** The label, without its middle if it is wider than so many pixels. */
function fittedLabel(i, most) {
  const letters = [...labels[i]];
  const kept = Math.floor((letters.length * most) / pixelsOf(labels[i]));
  if (kept >= letters.length) return labels[i];
  const half = Math.max(1, Math.floor(kept / 2) - 1);
  return [...letters.slice(0, half), "…", ...letters.slice(-half)].join("");
}

/** 0 for a selected variable, 1 for one with a role or in the list of parts, 2 for the others, null if it is faded. */
function rank({ classList }, i) {
  if (classList.contains("faded")) return null;
  return classList.contains("self") ? 0 : hubs.has(i) || /parent|child|undecided|spouse|given/.test(classList.value) ? 1 : 2;
}

/** The marks and dots that labels should not cover, as boxes: all that are not faded. `size` is the height of a label. */
function obstacles(size, mark) {
  const faded = (node) => node.classList.contains("faded");
  const dots = scene.places.filter((_, i) => isMember(i) && !faded(nodeShapes[i])).map(({ x, y }) => ({ x, y, half: 0.15 * size }));
  const half = (LENGTH * mark) / 2;
  const markAt = (route) => {
    const { x, y, dx, dy } = arrival(route);
    return { x: x - half * dx, y: y - half * dy, half };
  };
  const marks = report.edges.flatMap((edge, k) => {
    const [route, seen] = [scene.routes[k], isVisible(edge, k) && !faded(edgeShapes[k])];
    return [seen && edge.end !== "tail" && markAt(route), seen && edge.start !== "tail" && markAt(route.toReversed())];
  }).filter(Boolean);
  return [...dots, ...marks].map((box) => ({ ...box, height: box.half })).filter(inView);
}

const inView = ({ x, y, half, height }) =>
  x + half > view.x && x - half < view.x + view.width && y + height > view.y && y - height < view.y + view.height;

/** The boxes in which the label of a dot may be: above, below, right, left; moved inside the view if the dot is there. */
function labelBoxes({ x, y }, half, size) {
  const seen = x > view.x && x < view.x + view.width;
  const inside = (center) => (seen ? Math.max(view.x + half, Math.min(view.x + view.width - half, center)) : center);
  const beside = half + 0.5 * size;
  return [[x, y - 0.8 * size], [x, y + 0.9 * size], [x + beside, y], [x - beside, y]]
    .map(([center, middle]) => ({ x: inside(center), y: middle, half, height: 0.65 * size }))
    .filter(inView);
}

const overlap = (one, two) => Math.abs(one.x - two.x) < one.half + two.half && Math.abs(one.y - two.y) < one.height + two.height;

/**
 * Draw dots or boxes, and the labels of dots: a selected variable, or both of a pair, always have theirs; those of
 * rank 1 if they do not overlap other labels; the rest if they cover no dots and marks either.
 */
function labelFarNodes() {
  const zoomed = scale();
  const far = zoomed < READABLE;
  const mark = Math.max(1, Math.min(2.2, READABLE / zoomed));
  drawing.classList.toggle("far", far);
  drawing.style.setProperty("--dot", `${Math.min(12, 3.5 / zoomed)}px`);
  drawing.style.setProperty("--mark", mark);
  if (!far) return labelLayer.replaceChildren();
  const size = FAR_LABEL / zoomed;
  const ranks = nodeShapes.map(rank);
  const order = byDegree.filter((i) => isMember(i) && ranks[i] !== null).sort((i, j) => ranks[i] - ranks[j]);
  const inTheWay = obstacles(size, mark);
  const taken = [];
  for (const i of order) {
    if (taken.length >= MAX_LABELS) break;
    const text = fittedLabel(i, drawing.clientWidth / 2);
    const must = ranks[i] === 0 && taken.length < 2;
    const [best] = labelBoxes(scene.places[i], (pixelsOf(text) / zoomed + 0.3 * size) / 2, size)
      .map((box) => ({ ...box, i, text, hits: taken.filter((other) => overlap(box, other)).length }))
      .filter(({ hits }) => must || !hits)
      .map((box) => ({ ...box, covered: inTheWay.filter((other) => overlap(box, other)).length }))
      .filter(({ covered }) => ranks[i] < 2 || !covered)
      .sort((one, two) => one.hits - two.hits || one.covered - two.covered);
    if (best) taken.push(best);
  }
  const label = ({ x, y, i, text }) => shape("text", { x, y, "font-size": tenth(size), "data-variable": i }, text);
  return labelLayer.replaceChildren(...taken.map(label));
}
