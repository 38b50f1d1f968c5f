// The section about the accuracy to expect: a sentence and a small plot.

function showExpected() {
  const { expected: found } = report;
  if (!found) return document.querySelectorAll("#expected, [href='#expected']").forEach((node) => node.remove());
  return put("expected", el("p", {}, found.sentence), expectedPlot(found.points));
}

/** Precision and recall by the number of rows. */
function expectedPlot(points) {
  const [width, height, left, top, bottom] = [360, 150, 46, 10, 34];
  const x = (k) => left + 20 + ((width - left - 100) * k) / Math.max(1, points.length - 1);
  const y = (share) => top + (height - top - bottom) * (1 - share);
  const text = (at, up, words, anchor) => shape("text", { x: at, y: up, "text-anchor": anchor, class: "tick" }, words);
  const lines = [0, 0.5, 1].flatMap((share) => [
    shape("path", { class: "grid", d: `M${left} ${y(share)}H${width - 70}` }),
    text(left - 6, y(share) + 4, percent(share), "end"),
  ]);
  const marks = points.map(([rows], k) => text(x(k), height - bottom + 16, count(rows), "middle"));
  const curve = (place, title, kind) => [
    shape("path", { class: `series ${kind}`, d: `M${points.map((point, k) => `${x(k)} ${y(point[place])}`).join("L")}` }),
    ...points.map((point, k) => shape("circle", { class: `series ${kind}`, cx: x(k), cy: y(point[place]), r: 3 })),
    text(x(points.length - 1) + 8, y(points.at(-1)[place]) + (place === 1 ? -2 : 10), title, "start"),
  ];
  const label = "Expected precision and recall by the number of rows";
  return shape(
    "svg",
    { class: "expected", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    ...lines, ...marks, ...curve(1, "precision", "precision"), ...curve(2, "recall", "recall"),
    text((left + width - 70) / 2, height - 4, "rows", "middle"),
  );
}
