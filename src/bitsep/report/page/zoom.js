// Zoom and pan. The view is the visible part of the drawing, as in the viewBox of the SVG element.

const MARGIN = 14;
const READABLE = 0.65; // pixels per unit below which labels are too small to read
let view = { x: 0, y: 0, width: 1, height: 1 };

function show(next) {
  view = next;
  drawing.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  labelFarNodes();
  updateMap();
}

/** Pixels on the screen per unit of the drawing. */
const scale = () => Math.min(drawing.clientWidth / view.width, drawing.clientHeight / view.height) || 1;

/** Show the whole scene. */
const fit = () => fitTo([{ x: 0, y: 0, half: 0 }, { x: scene.width, y: scene.height, half: 0 }]);

/** Show all of these boxes, as large as possible but not larger than is pleasant to read. */
function fitTo(boxes) {
  const left = Math.min(...boxes.map(({ x, half }) => x - half)) - MARGIN;
  const top = Math.min(...boxes.map(({ y }) => y)) - MARGIN;
  const width = Math.max(...boxes.map(({ x, half }) => x + half)) + MARGIN - left;
  const height = Math.max(...boxes.map(({ y }) => y)) + MARGIN - top;
  const [screenWidth, screenHeight] = [drawing.clientWidth || 800, drawing.clientHeight || 500];
  const near = Math.min(1.25, screenWidth / width, screenHeight / height);
  const above = near < READABLE ? 2 * FAR_LABEL : 0; // pixels for the labels of the uppermost dots
  const zoomed = Math.min(near, (screenHeight - above) / height);
  const [seenWidth, seenHeight] = [screenWidth / zoomed, screenHeight / zoomed];
  const y = top - (seenHeight - height + above / zoomed) / 2;
  show({ x: left - (seenWidth - width) / 2, y, width: seenWidth, height: seenHeight });
}

/** Zoom by a factor around a point of the screen, by default its center. */
function zoom(factor, at = null) {
  const box = drawing.getBoundingClientRect();
  const center = at ?? { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const old = scale();
  const bounded = Math.max(0.02, Math.min(6, old * factor)) / old;
  const fixed = { x: view.x + (center.x - box.left) / old, y: view.y + (center.y - box.top) / old };
  show({
    x: fixed.x - (fixed.x - view.x) / bounded,
    y: fixed.y - (fixed.y - view.y) / bounded,
    width: view.width / bounded,
    height: view.height / bounded,
  });
}

/** Move the view by pixels of the screen. */
function pan(dx, dy) {
  const units = scale();
  show({ ...view, x: view.x - dx / units, y: view.y - dy / units });
}

/** Center the view on variables of the scene, unless they are visible and readable. */
function reveal(list) {
  const places = list.filter(isMember).map((i) => scene.places[i]);
  if (!places.length) return;
  const inside = ({ x, y }) => x > view.x && x < view.x + view.width && y > view.y && y < view.y + view.height;
  if (places.every(inside)) return;
  const mean = (pick) => places.reduce((sum, place) => sum + pick(place), 0) / places.length;
  show({ ...view, x: mean(({ x }) => x) - view.width / 2, y: mean(({ y }) => y) - view.height / 2 });
}

/** Handle mouse, touch, wheel and keyboard; `onClick` is called with the element that was clicked. */
function listen(onClick) {
  const fingers = new Map();
  let start = null;
  let moved = false;

  drawing.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    if (!fingers.size) {
      start = event.target;
      moved = false;
    }
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    // Movements of a few pixels still count as a click.
    if (!moved && Math.hypot(now.x - before.x, now.y - before.y) < 5) return;
    moved = true;
    drawing.classList.add("moving");
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const distance = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      zoom(distance(now) / distance(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else {
      pan(now.x - before.x, now.y - before.y);
    }
    fingers.set(event.pointerId, now);
  });
  const lift = (event) => {
    if (!fingers.delete(event.pointerId) || fingers.size) return;
    drawing.classList.remove("moving");
    if (event.type === "pointerup" && !moved) onClick(start.closest("[data-variable], [data-edge]"));
  };
  drawing.addEventListener("pointerup", lift);
  drawing.addEventListener("pointercancel", lift);
  // Showing the evidence can scroll the page; the click that follows a touch would then hit what is there instead.
  drawing.addEventListener("touchend", (event) => event.preventDefault(), { passive: false });

  drawing.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * 0.004), { x: event.clientX, y: event.clientY });
    },
    { passive: false },
  );

  const step = 60;
  const keys = {
    ArrowLeft: () => pan(step, 0),
    ArrowRight: () => pan(-step, 0),
    ArrowUp: () => pan(0, step),
    ArrowDown: () => pan(0, -step),
    "+": () => zoom(1.25),
    "=": () => zoom(1.25), // the same key without Shift
    "-": () => zoom(0.8),
    0: () => fit(),
  };
  drawing.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  byId("closer").addEventListener("click", () => zoom(1.25));
  byId("further").addEventListener("click", () => zoom(0.8));
  byId("fit").addEventListener("click", () => fit());
}
