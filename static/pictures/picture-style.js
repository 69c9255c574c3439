// What every picture here shares: colours that follow the reader's theme, texts, buttons.

export const BASE = `
  .posenc-picture {
    --q: light-dark(#0072b2, #56b4e9); --k: light-dark(#b84c00, #f0934e); --ink: var(--st-text-color);
    --paper: var(--st-background-color); --seen: light-dark(#dbeaf2, #233742);
    --soft: color-mix(in srgb, var(--ink) 76%, var(--paper)); --thin: color-mix(in srgb, var(--ink) 30%, var(--paper));
    --new: light-dark(#c1121f, #ff6b6b); width: 100%; position: relative; font-family: var(--st-font); color: var(--ink);
  }
  .posenc-picture svg .small { font-size: 11.5px; fill: var(--soft); } .posenc-picture svg .tiny { font-size: 10px; fill: var(--soft); }
  .posenc-picture svg text { fill: var(--ink); font-family: var(--st-font); font-size: 13px; font-variant-numeric: tabular-nums; }
  .posenc-picture svg { display: block; overflow: visible; touch-action: pan-y; user-select: none; -webkit-user-select: none; }
  .posenc-picture .grab { cursor: ew-resize; outline: none; touch-action: none; } .posenc-picture .grab:active { cursor: grabbing; }
  .posenc-picture .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.25rem; font-size: 0.875rem; margin-bottom: 0.5rem; }
  .posenc-picture .buttons { display: flex; flex-wrap: wrap; gap: 0.4rem; }
  .posenc-picture :is(button, select, .segments):not(.posenc-take *) { border: 1px solid var(--thin); border-radius: 0.5rem; background: none; color: inherit; font: inherit; }
  .posenc-picture :is(button, select):not(.posenc-take *) { padding: 0.25rem 0.75rem; cursor: pointer; } .posenc-picture option { background: var(--paper); } .posenc-picture button:hover { border-color: var(--q); }
  .posenc-picture fieldset { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.6rem; border: 0; margin: 0; padding: 0; min-width: 0; }
  .posenc-picture legend { float: left; padding: 0; color: var(--soft); } .posenc-picture .segments { display: inline-flex; flex-wrap: wrap; overflow: hidden; }
  .posenc-picture .segments label { position: relative; } .posenc-picture .segments label span { display: block; padding: 0.25rem 0.7rem; cursor: pointer; }
  .posenc-picture .segments input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
  .posenc-picture input:checked + span { background: color-mix(in srgb, var(--q) 16%, var(--paper)); font-weight: 600; }
  .posenc-picture :is(button, select, input[type=range]):focus-visible, .posenc-picture input:focus-visible + span { outline: 3px solid var(--q); outline-offset: -2px; border-radius: 0.5rem; }
  .posenc-picture .words p { margin: 0.35rem 0 0; max-width: 52rem; font-variant-numeric: tabular-nums; }
  .posenc-picture .words .sentence { min-height: 3em; }
  .posenc-picture .words .followed { font-size: 0.875rem; color: var(--soft); } .posenc-picture svg .title { font-weight: 600; }
  .posenc-picture .trained { fill: var(--seen); } .posenc-picture .axis { stroke: var(--thin); fill: none; }
  .posenc-picture .grid { stroke: color-mix(in srgb, var(--ink) 12%, var(--paper)); fill: none; } .posenc-picture .catch { fill: transparent; cursor: ew-resize; }
  .posenc-picture .seen { fill: var(--seen); } .posenc-picture .faces { fill: none; stroke: var(--thin); } .posenc-picture .arcs { fill: var(--ink); fill-opacity: 0.3; }
  .posenc-picture .new-arcs { fill: var(--new); fill-opacity: 0.75; } .posenc-picture .dial { cursor: pointer; outline: none; }
  .posenc-picture .dial circle { fill: transparent; stroke: transparent; stroke-width: 2; } .posenc-picture .dial:hover circle { stroke: var(--thin); }
  .posenc-picture .dial:focus-visible circle { stroke: var(--ink); stroke-width: 3; }
  .posenc-picture .tile { fill: light-dark(hsl(var(--hue) 55% 88%), hsl(var(--hue) 30% 27%)); stroke: var(--thin); } .posenc-picture .bar-of-gap { fill: var(--new); }
  .posenc-picture svg .gap { font-size: 12px; } .posenc-picture .frame { fill: none; stroke: var(--thin); } .posenc-picture svg .number { font-size: 11.5px; }
`;
