// How the shuffle looks.

export const SHUFFLE = `
  .posenc-shuffle .tile { fill: light-dark(hsl(var(--hue) 55% 88%), hsl(var(--hue) 30% 27%)); stroke: var(--thin); }
  .posenc-shuffle svg .word { font-weight: 600; } .posenc-shuffle svg .number { font-size: 11.5px; }
  .posenc-shuffle .bar-of-gap { fill: var(--new); } .posenc-shuffle svg .gap { font-size: 12px; }
  .posenc-shuffle .way { display: inline-flex; align-items: center; gap: 0.6rem; } .posenc-shuffle .way input { width: 8rem; accent-color: var(--q); }
  .posenc-shuffle .encoding { display: inline-flex; align-items: center; gap: 0.6rem; }
  .posenc-shuffle label > span { color: var(--soft); }
`;
