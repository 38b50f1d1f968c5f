// Addresses of selections: #edge=A,B for two variables, #variable=A or #variable=A,2 (with steps around it).

const encoded = (i) => encodeURIComponent(labels[i]);

function addressOf({ variable, pair, steps = 0 }) {
  if (pair) return `#edge=${pair.map(encoded).join(",")}`;
  return variable === null ? "" : `#variable=${encoded(variable)}${steps ? `,${steps}` : ""}`;
}

/** Put the selection into the address of the page, so that it can be copied from there. */
function setAddress(selection) {
  try {
    history.replaceState(null, "", addressOf(selection) || location.pathname + location.search);
  } catch {
    // a page embedded in another one has no address of its own
  }
}

/** A part of an address as text; as it is if it is not encoded. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Select what the address of the page says; other addresses are those of sections. */
function followAddress() {
  const [key, value = ""] = location.hash.slice(1).split("=");
  const parts = value.split(",").map(decoded);
  const [first, second] = parts.map((part) => labels.indexOf(part));
  if (key === "edge" && first >= 0 && second >= 0 && first !== second) select({ pair: [first, second] });
  if (key === "variable" && first >= 0) {
    const steps = Number(parts[1] ?? 0);
    select({ variable: first, steps: [1, 2, 3].includes(steps) ? steps : 0 });
  }
}
