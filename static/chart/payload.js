// Reads what ui/chart.py packs.

const ARRAYS = {
  f4: Float32Array,
  f8: Float64Array,
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
};

// u32 length of the header, the header as JSON, then the arrays, each on a multiple of 8 bytes.
export function unpack(payload) {
  const bytes = payload.byteOffset % 8 ? payload.slice() : payload;
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  const start = bytes.byteOffset + 4 + length;
  return JSON.parse(text, (_, value) =>
    value?.$buf ? array(bytes.buffer, start, value.$buf) : value,
  );
}

function array(buffer, start, [offset, size, kind, shape]) {
  const values = new ARRAYS[kind](buffer, start + offset, size);
  if (shape.length === 1) return values;
  return Array.from({ length: shape[0] }, (_, row) =>
    masked(values.subarray(row * shape[1], (row + 1) * shape[1])),
  );
}

// A cell without a value must be undefined: plotly would show NaN and null as numbers on hover.
function masked(row) {
  return row.some(Number.isNaN)
    ? Array.from(row, (value) => (Number.isNaN(value) ? undefined : value))
    : row;
}
