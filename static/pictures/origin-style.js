// How the picture of where a number comes from looks.

export const ORIGIN = `
  .posenc-origin { --v: light-dark(#006b4f, #2fc19a); --w: light-dark(#222222, #d05ce3); }
  .posenc-origin svg .head { font-weight: 600; }
  .posenc-origin .cell { cursor: pointer; outline: none; }
  .posenc-origin .cell rect { stroke: transparent; } .posenc-origin .cell:focus-visible rect { stroke: var(--ink); stroke-width: 3; }
  .posenc-origin .lit { fill: none; stroke-width: 2.4; } .posenc-origin .joins { fill: none; stroke-width: 2; }
  .posenc-origin :is(.q, .q-joins):not(g) { stroke: var(--q); } .posenc-origin :is(.k, .k-joins):not(g) { stroke: var(--k); }
  .posenc-origin :is(.v, .v-joins):not(g) { stroke: var(--v); } .posenc-origin :is(.weights, .w-joins, .output):not(g) { stroke: var(--w); }
  .posenc-origin .product { fill: none; stroke: var(--w); stroke-width: 3; }
  .posenc-origin .formulas { margin-top: 0.5rem; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
  .posenc-origin .formula { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 0.3rem; margin: 0 0 0.55rem; }
  .posenc-origin .formula .what { flex-basis: 100%; font-size: 0.875rem; color: var(--soft); }
  .posenc-origin .formula button { padding: 0.05rem 0.4rem; border-color: var(--thin); }
  .posenc-origin .formula button.lit-now { border-color: var(--ink); background: color-mix(in srgb, var(--ink) 7%, var(--paper)); }
  .posenc-origin .formula .w { color: var(--w); } .posenc-origin .formula .v { color: var(--v); } .posenc-origin .formula .q { color: var(--q); } .posenc-origin .formula .k { color: var(--k); }
`;
