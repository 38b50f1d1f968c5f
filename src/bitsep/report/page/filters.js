// Which edges are drawn: those with at least so many bits, bits per row, and bootstrap support.

const FILTERS = [
  ["min-bits", (edge) => edge.strength],
  ["min-effect", (edge) => edge.per_row],
  ["min-support", (edge) => (edge.support ? 100 * edge.support.edge : null)],
];

const limits = () => FILTERS.map(([id, value]) => [Number(byId(id).value), value]).filter(([least]) => least > 0);
const filtering = () => limits().length > 0;

/** Whether the filter lets an edge pass; edges without the number, such as required ones, pass. */
const passes = (edge) => limits().every(([least, value]) => value(edge) === null || value(edge) >= least);

function setUpFilters() {
  if (!report.edges.some((edge) => edge.support)) removeFilter("min-support");
  if (!report.edges.some((edge) => edge.per_row !== null)) {
    FILTERS.length = 0;
    byId("filters").remove();
  }
  for (const [id] of FILTERS) byId(id).addEventListener("input", showEdges);
}

function removeFilter(id) {
  FILTERS.splice(FILTERS.findIndex(([known]) => known === id), 1);
  byId(id).closest("label").remove();
}
