// How the scenes of Home look.

export const IDEA = `
  .posenc-idea .card { fill: var(--paper); }
  .posenc-idea svg .word { font-weight: 600; }
  .posenc-idea .face { fill: var(--paper); stroke: var(--thin); } .posenc-idea .turned { fill: var(--q); fill-opacity: 0.22; }
  .posenc-idea .hand { stroke: var(--q); stroke-width: 3; stroke-linecap: round; fill: none; }
  .posenc-idea .arrow { fill: none; stroke: var(--soft); }
  .posenc-idea .words .sentence { font-size: 1.05rem; max-width: 60rem; min-height: 3.2em; }
  .posenc-idea svg :is(.small, .gap) { font-size: 13px; }
  @media (min-width: 1600px) { .posenc-idea svg :is(.small, .gap) { font-size: 17px; } }
  @media (max-width: 640px) { .posenc-idea .words .sentence { min-height: 6.4em; font-size: 1rem; } .posenc-idea .bar fieldset { order: 1; } }
`;
