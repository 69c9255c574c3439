// The sinusoidal table as posenc has it: a column is the sine or the cosine of p·θ, or zero.
// `columns` are `theta`, radians per position, and `wave`, a letter for each: s, c or 0.

export function rowAt({ theta, wave }, position) {
  const row = new Float64Array(theta.length);
  for (let i = 0; i < row.length; i++) {
    if (wave[i] === "s") row[i] = Math.sin(position * theta[i]);
    else if (wave[i] === "c") row[i] = Math.cos(position * theta[i]);
  }
  return row;
}

// All rows behind one another.
export function tableOf(columns, length) {
  const width = columns.theta.length,
    table = new Float64Array(length * width);
  for (let position = 0; position < length; position++)
    table.set(rowAt(columns, position), position * width);
  return table;
}

export function dot(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

// The dot product of a vector with every row.
export function products(table, vector) {
  const width = vector.length,
    found = new Float64Array(table.length / width);
  for (let row = 0, at = 0; row < found.length; row++) {
    let sum = 0;
    for (let i = 0; i < width; i++, at++) sum += vector[i] * table[at];
    found[row] = sum;
  }
  return found;
}

// Two words with their places: what each pair of the four adds to the score.
export const termsOf = (first, second, rowA, rowB) => [
  dot(first, second),
  dot(first, rowB),
  dot(rowA, second),
  dot(rowA, rowB),
];

// Binary digits, the lowest first, as an odometer has them between two positions: `next` comes in
// from below by a share of the way while every digit before it goes from one to nought.
export function digitAt(position, bit) {
  const whole = Math.floor(position),
    digit = Math.floor(whole / 2 ** bit) % 2;
  return { digit, next: 1 - digit, share: (whole + 1) % 2 ** bit === 0 ? position - whole : 0 };
}

export const bitsOf = (length) => Math.max(1, Math.floor(Math.log2(Math.max(length - 1, 1))) + 1);
