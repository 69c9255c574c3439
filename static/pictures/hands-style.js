// How the picture of two hands looks.

export const HANDS = `
  .posenc-hands svg .beyond { fill: var(--soft); } .posenc-hands svg .term { font-weight: 600; }
  .posenc-hands svg .term.new { fill: var(--new); }
  .posenc-hands .beyond-area { fill: rgba(128, 128, 128, 0.14); } .posenc-hands .edge { stroke: #808080; stroke-dasharray: 1.5 3; }
  .posenc-hands .ghost { fill: none; stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; }
  .posenc-hands :is(.key, .query, .key-fast, .query-fast):not(g) { fill: none; stroke-linecap: round; stroke-width: var(--wide, 3.5); }
  .posenc-hands :is(path.key, path.key-fast) { stroke: var(--k); } .posenc-hands :is(path.query, path.query-fast) { stroke: var(--q); }
  .posenc-hands :is(path.key-fast, path.query-fast) { stroke-opacity: 0.16; }
  .posenc-hands .bars { fill: var(--soft); } .posenc-hands .new-bars { fill: var(--new); }
  .posenc-hands .level { stroke: var(--thin); fill: none; } .posenc-hands .join { stroke: var(--ink); stroke-dasharray: 3 3; fill: none; }
  .posenc-hands .curve { fill: none; stroke: var(--ink); stroke-width: 2.2; stroke-linejoin: round; }
  .posenc-hands .band { fill: var(--ink); fill-opacity: 0.35; stroke: var(--ink); stroke-width: 0.5; stroke-linejoin: round; }
  .posenc-hands .plain { fill: none; stroke: var(--soft); stroke-dasharray: 4 4; } .posenc-hands .wave { fill: none; stroke: var(--q); stroke-opacity: 0.65; }
  .posenc-hands .dot { fill: var(--ink); stroke: var(--paper); stroke-width: 2; }
  .posenc-hands .handle .stem { stroke: var(--soft); fill: none; }
  .posenc-hands .handle.query .head circle { fill: var(--q); } .posenc-hands .handle.key .head circle { fill: var(--k); }
  .posenc-hands .handle.query .stem { stroke: var(--q); stroke-width: 2; } .posenc-hands .handle.key .stem { stroke: var(--k); stroke-width: 2; }
  .posenc-hands .handle :is(circle, rect, .head path) { stroke: var(--paper); stroke-width: 2; }
  .posenc-hands svg .handle.query text, .posenc-hands svg .handle.key text { fill: light-dark(white, #171614); font-weight: 700; font-size: 14px; }
  .posenc-hands .handle.both rect { fill: var(--paper); stroke: var(--thin); stroke-width: 1; }
  .posenc-hands .handle.upto .head path { fill: var(--soft); } .posenc-hands .handle.upto .stem { stroke: transparent; }
  .posenc-hands .handle.upto:is(:active, :focus-visible, :hover) .stem { stroke: var(--soft); }
  .posenc-hands .handle:focus-visible :is(circle, rect, .head path) { stroke: var(--ink); stroke-width: 3; }
  .posenc-hands .dial.chosen:not(:focus-visible) circle { stroke: var(--q); }
  .posenc-hands .numbers { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 1.4rem; font-size: 1.05rem; font-variant-numeric: tabular-nums; min-height: 1.6em; }
  .posenc-hands .numbers .query b { color: var(--q); } .posenc-hands .numbers .key b { color: var(--k); } .posenc-hands .numbers i { color: var(--soft); }
  .posenc-hands .numbers .query { min-width: 9.5rem; } .posenc-hands .numbers .key { min-width: 9.5rem; } .posenc-hands .numbers .distance { min-width: 5.5rem; }
`;
