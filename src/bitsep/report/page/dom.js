// Builds elements. Every text becomes a text node or an attribute, so nothing from the data is parsed as markup.

const byId = (id) => document.getElementById(id);

/** The data of the report, with {columns, rows} turned into lists of objects. */
function unpack(value) {
  if (Array.isArray(value)) return value.map(unpack);
  if (value === null || typeof value !== "object") return value;
  if (value.columns && value.rows) {
    return value.rows.map((row) => Object.fromEntries(value.columns.map((column, i) => [column, unpack(row[i])])));
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unpack(item)]));
}

const report = unpack(JSON.parse(byId("data").textContent));
const labels = report.variables.map((variable) => variable.label);

/** An HTML element with attributes (functions are event listeners) and children (nodes, texts, null). */
function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, made in the same way. */
function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

/** The name of a variable in text, in quotes if necessary, isolated from the writing direction of the text around it. */
const name = (i) => el("bdi", { class: "name" }, report.variables[i].quoted ?? labels[i]);

/** A list of names: A, B and C. */
function names(list) {
  if (!list.length) return ["nothing"];
  return list.flatMap((i, k) => (k === 0 ? [name(i)] : [k === list.length - 1 ? " and " : ", ", name(i)]));
}

/** A button that selects a variable. */
const link = (i) => el("button", { type: "button", class: "link", click: () => select({ variable: i }) }, name(i));

/** The paragraphs of an explanation: a template filled with its values. Numbers are indices of variables. */
function paragraphs([template, ...values]) {
  const lines = [[]];
  report.templates[template].split("{}").forEach((part, k) => {
    part.split("\n").forEach((text, line) => {
      if (line) lines.push([]);
      lines.at(-1).push(text);
    });
    if (k < values.length) lines.at(-1).push(typeof values[k] === "string" ? values[k] : names([values[k]].flat()));
  });
  return lines.map((line, k) => el("p", { class: k ? null : "lead" }, line));
}

const count = (number) => number.toLocaleString("en");
const decimals = (value, digits) =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace(/^-(?=[0.]+$)/, "");
const bits = (value) => (value === null ? "–" : decimals(value, 2));
const perRow = (value) => (value === null ? "–" : value === 0 || Math.abs(value) >= 0.0005 ? value.toFixed(4) : String(value));
const precisePercent = (share) => (share < 0.0005 ? "< 0.1%" : `${(share * 100).toFixed(1)}%`);
const percent = (share) => (share === null ? "–" : `${Math.round(share * 100)}%`);

/** A bar whose length is a share of the largest value. */
function measure(share) {
  const bar = el("i");
  bar.style.setProperty("--share", Math.max(0, Math.min(100, 100 * share)).toFixed(1));
  return el("span", { class: "measure", "aria-hidden": "true" }, bar);
}
