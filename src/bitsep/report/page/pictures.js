// The drawing as a picture file, and on the full screen.

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "font-size", "font-weight", "text-anchor",
  "dominant-baseline"];

/** The scene as an SVG document that needs no style sheet. */
function pictureText() {
  const far = drawing.classList.contains("far");
  drawing.classList.remove("far");
  const copy = drawing.cloneNode(true);
  const [originals, copies] = [drawing, copy].map((root) => [...root.querySelectorAll("*")]);
  originals.forEach((original, k) => {
    const style = getComputedStyle(original);
    if (style.display === "none" || original.matches(".reach, .labels *")) return copies[k].remove();
    for (const key of STYLES) copies[k].setAttribute(key, style.getPropertyValue(key));
    for (const key of ["class", "data-edge", "data-variable"]) copies[k].removeAttribute(key);
    return undefined;
  });
  drawing.classList.toggle("far", far);
  for (const { name } of [...copy.attributes]) copy.removeAttribute(name);
  const [width, height] = [scene.width + 2 * MARGIN, scene.height + 2 * MARGIN].map(Math.ceil);
  const background = getComputedStyle(document.documentElement).getPropertyValue("--surface");
  fill(copy, { viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, width, height, "font-family": "system-ui, sans-serif" }, []);
  copy.prepend(shape("rect", { x: -MARGIN, y: -MARGIN, width, height, fill: background }));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

function saveAs(blob, ending) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: `${document.title.replace(/[^\p{L}\p{N}. -]/gu, "_") || "graph"}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const svgBlob = (text) => new Blob([text], { type: "image/svg+xml" });

/** A picture with two pixels per unit, or fewer if the drawing is very large. */
async function savePng() {
  const { text, width, height } = pictureText();
  const factor = Math.min(2, 8000 / Math.max(width, height));
  const image = new Image();
  const address = URL.createObjectURL(svgBlob(text));
  image.src = address;
  await image.decode();
  const canvas = el("canvas", { width: Math.round(width * factor), height: Math.round(height * factor) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  canvas.toBlob((blob) => saveAs(blob, "png"), "image/png");
}

function setUpPictures() {
  byId("svg").addEventListener("click", () => saveAs(svgBlob(pictureText().text), "svg"));
  byId("png").addEventListener("click", savePng);
  const [card, button] = [document.querySelector(".graph"), byId("full")];
  if (!document.fullscreenEnabled) button.remove();
  button.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : card.requestFullscreen()));
  document.addEventListener("fullscreenchange", () => {
    button.textContent = document.fullscreenElement ? "Leave full screen" : "Full screen";
    fit();
  });
}
