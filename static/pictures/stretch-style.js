// How the picture of a stretched text looks.

export const STRETCH = `
  .posenc-stretch svg .pair { font-weight: 600; }
  .posenc-stretch .text { fill: color-mix(in srgb, var(--ink) 22%, var(--paper)); }
  .posenc-stretch :is(.marks, .text-marks) { stroke: var(--ink); stroke-width: 1.4; fill: none; }
  .posenc-stretch .read { fill: color-mix(in srgb, var(--ink) 22%, var(--paper)); } .posenc-stretch .read-new { fill: var(--new); fill-opacity: 0.75; }
  .posenc-stretch .cells { fill: color-mix(in srgb, var(--ink) 22%, var(--paper)); } .posenc-stretch .new-cells { fill: var(--new); fill-opacity: 0.75; }
  .posenc-stretch .ticks { stroke: var(--soft); fill: none; }
  .posenc-stretch .window { fill: none; stroke: #808080; stroke-width: 1.6; stroke-dasharray: 6 4; }
  .posenc-stretch .plain { fill: none; stroke: var(--ink); stroke-width: 1.6; stroke-dasharray: 2 3; }
  .posenc-stretch .loss { fill: none; stroke-width: 2.6; stroke-linejoin: round; } .posenc-stretch .band { fill-opacity: 0.22; }
  .posenc-stretch .unread { fill: var(--paper); fill-opacity: 0.72; } .posenc-stretch .end { stroke: var(--ink); stroke-dasharray: 3 3; fill: none; }
  .posenc-stretch .handle .head rect { fill: var(--ink); stroke: var(--paper); stroke-width: 2; } .posenc-stretch .handle .stem { stroke: var(--ink); stroke-width: 2; }
  .posenc-stretch .handle .head path { stroke: var(--paper); stroke-width: 1.5; fill: none; }
  .posenc-stretch .handle:focus-visible .head rect { stroke: var(--q); stroke-width: 3; }
  .posenc-stretch .clock { cursor: pointer; outline: none; } .posenc-stretch .clock rect { fill: transparent; stroke: transparent; stroke-width: 1.5; }
  .posenc-stretch .clock:hover rect { stroke: var(--thin); } .posenc-stretch .clock.chosen rect { stroke: var(--q); } .posenc-stretch .clock:focus-visible rect { stroke: var(--ink); stroke-width: 3; }
  .posenc-stretch fieldset:disabled { opacity: 0.55; } .posenc-stretch fieldset:disabled .segments label span { cursor: default; }
  .posenc-stretch .numbers { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 1.4rem; font-size: 1.05rem; font-variant-numeric: tabular-nums; min-height: 1.6em; }
  .posenc-stretch .numbers .new:not(.none) b { color: var(--new); }
  .posenc-stretch .words .measured { font-size: 0.875rem; color: var(--soft); min-height: 3em; }
`;
