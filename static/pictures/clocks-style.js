// How the clocks look that a player turns.

export const CLOCKS = `
  .posenc-clocks svg .pair { font-weight: 600; }
  .posenc-clocks :is(.hands, .fast) { fill: none; stroke: var(--q); stroke-width: 3.5; stroke-linecap: round; } .posenc-clocks .fast { stroke-opacity: 0.16; }
  .posenc-clocks .tips { fill: var(--q); } .posenc-clocks .square { fill: none; stroke: var(--ink); stroke-width: 2.4; }
  .posenc-clocks .position { flex: 1 1 14rem; display: flex; align-items: center; gap: 0.6rem; } .posenc-clocks .position input { flex: 1; min-width: 6rem; accent-color: var(--q); }
  .posenc-clocks .position output { min-width: 8.5rem; font-variant-numeric: tabular-nums; }
  .posenc-clocks .words .formula { font-size: 1.05rem; min-height: 1.6em; }
  .posenc-clocks-turn :is(.st-key-follow_clocks, .st-key-clocks_hand) { visibility: hidden; }
`;
