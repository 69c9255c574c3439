// How the picture of two positions against each other looks.

export const ODOMETER = `
  .posenc-odometer { --a: var(--q); --b: var(--k); }
  .posenc-odometer svg .first { fill: var(--a); font-weight: 700; } .posenc-odometer svg .second { fill: var(--b); font-weight: 700; }
  .posenc-odometer .strip { fill: white; }
  .posenc-odometer svg .one { font-size: 11.5px; }
  .posenc-odometer .catch { fill: transparent; cursor: pointer; } .posenc-odometer .chosen { fill: none; stroke: var(--ink); stroke-width: 1.5; }
  .posenc-odometer .wheel { fill: var(--paper); stroke: var(--thin); } .posenc-odometer .wheel.differs { fill: var(--seen); stroke: var(--q); stroke-width: 1.5; }
  .posenc-odometer svg .digit { font-size: 15px; font-weight: 600; }
  .posenc-odometer .arcs { fill: var(--ink); fill-opacity: 0.25; }
  .posenc-odometer :is(.hand-a, .hand-b, .fast-a, .fast-b) { fill: none; stroke-linecap: round; stroke-width: 3; }
  .posenc-odometer :is(.hand-a, .fast-a) { stroke: var(--a); } .posenc-odometer :is(.hand-b, .fast-b) { stroke: var(--b); }
  .posenc-odometer :is(.fast-a, .fast-b) { stroke-opacity: 0.18; }
  .posenc-odometer .curve { fill: none; stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; } .posenc-odometer .band { fill: var(--ink); fill-opacity: 0.35; }
  .posenc-odometer .places { fill: none; stroke: var(--soft); stroke-dasharray: 4 4; }
  .posenc-odometer .here { stroke: var(--a); stroke-width: 1.5; } .posenc-odometer .dot { fill: var(--b); stroke: var(--paper); stroke-width: 2; }
  .posenc-odometer .terms { fill: var(--soft); } .posenc-odometer svg .value { font-weight: 600; }
  .posenc-odometer .handle.a :is(rect) { fill: var(--a); } .posenc-odometer .handle.b :is(rect) { fill: var(--b); }
  .posenc-odometer .handle.a .stem { stroke: var(--a); } .posenc-odometer .handle.b .stem { stroke: var(--b); }
  .posenc-odometer .handle .stem { fill: none; stroke-width: 2; } .posenc-odometer .handle rect { stroke: var(--paper); stroke-width: 2; }
  .posenc-odometer .handle:focus-visible rect { stroke: var(--ink); stroke-width: 3; }
  .posenc-odometer svg .handle text { fill: light-dark(white, #171614); font-weight: 700; }
  .posenc-odometer .numbers { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 1.4rem; font-variant-numeric: tabular-nums; min-height: 1.6em; margin-bottom: 0.3rem; }
  .posenc-odometer .numbers .first b { color: var(--a); } .posenc-odometer .numbers .second b { color: var(--b); }
`;
