// At each drawing plotly looks through all that a trace could have for what is an array: half a
// millisecond for each trace. The answer is the same while the same parts of a trace are arrays.

export function remember({ PlotSchema }) {
  const search = PlotSchema.findArrayAttributes;
  const found = new Map();
  PlotSchema.findArrayAttributes = (trace) => {
    const kind = [trace.type, ...arraysIn(trace)].join();
    if (!found.has(kind)) found.set(kind, search(trace));
    return [...found.get(kind)];
  };
}

// "x", "marker.color", …; what begins with "_" is plotly's own.
function arraysIn(part, path = "") {
  return Object.keys(part)
    .filter((name) => name[0] !== "_")
    .flatMap((name) => {
      const value = part[name];
      const parts = isPlain(value) || isPlain(value?.[0]) ? arraysIn(value, `${path}${name}.`) : [];
      return Array.isArray(value) || ArrayBuffer.isView(value) ? [path + name, ...parts] : parts;
    });
}

const isPlain = (value) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value);
