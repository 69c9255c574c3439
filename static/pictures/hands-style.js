// How the picture of two hands looks; colours follow the reader's theme.

export const STYLES = `
  .posenc-hands {
    --q: light-dark(#0072b2, #56b4e9); --k: light-dark(#b84c00, #f0934e); --ink: var(--st-text-color);
    --paper: var(--st-background-color); --seen: light-dark(#dbeaf2, #233742);
    --soft: color-mix(in srgb, var(--ink) 76%, var(--paper)); --thin: color-mix(in srgb, var(--ink) 30%, var(--paper));
    --new: light-dark(#c1121f, #ff6b6b); width: 100%; font-family: var(--st-font); color: var(--ink);
  }
  .posenc-hands svg { display: block; overflow: visible; touch-action: pan-y; user-select: none; -webkit-user-select: none; }
  .posenc-hands svg text { fill: var(--ink); font-family: var(--st-font); font-size: 13px; font-variant-numeric: tabular-nums; }
  .posenc-hands svg .small { font-size: 11.5px; fill: var(--soft); } .posenc-hands svg .tiny { font-size: 10px; fill: var(--soft); }
  .posenc-hands svg .title { font-weight: 600; }
  .posenc-hands svg .beyond { fill: var(--soft); } .posenc-hands svg .term { font-weight: 600; }
  .posenc-hands svg .term.new { fill: var(--new); }
  .posenc-hands .trained { fill: var(--seen); } .posenc-hands .axis { stroke: var(--thin); fill: none; }
  .posenc-hands .grid { stroke: color-mix(in srgb, var(--ink) 12%, var(--paper)); fill: none; }
  .posenc-hands .beyond-area { fill: rgba(128, 128, 128, 0.14); } .posenc-hands .edge { stroke: #808080; stroke-dasharray: 1.5 3; }
  .posenc-hands .catch { fill: transparent; cursor: ew-resize; }
  .posenc-hands .seen { fill: var(--seen); } .posenc-hands .faces { fill: none; stroke: var(--thin); }
  .posenc-hands .ghost { fill: none; stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; }
  .posenc-hands .arcs { fill: var(--ink); fill-opacity: 0.3; } .posenc-hands .new-arcs { fill: var(--new); fill-opacity: 0.75; }
  .posenc-hands :is(.key, .query, .key-fast, .query-fast):not(g) { fill: none; stroke-linecap: round; stroke-width: var(--wide, 3.5); }
  .posenc-hands :is(path.key, path.key-fast) { stroke: var(--k); } .posenc-hands :is(path.query, path.query-fast) { stroke: var(--q); }
  .posenc-hands :is(path.key-fast, path.query-fast) { stroke-opacity: 0.16; }
  .posenc-hands .bars { fill: var(--soft); } .posenc-hands .new-bars { fill: var(--new); }
  .posenc-hands .level { stroke: var(--thin); fill: none; } .posenc-hands .join { stroke: var(--ink); stroke-dasharray: 3 3; fill: none; }
  .posenc-hands .curve { fill: none; stroke: var(--ink); stroke-width: 2.2; stroke-linejoin: round; }
  .posenc-hands .band { fill: var(--ink); fill-opacity: 0.35; stroke: var(--ink); stroke-width: 0.5; stroke-linejoin: round; }
  .posenc-hands .plain { fill: none; stroke: var(--soft); stroke-dasharray: 4 4; } .posenc-hands .wave { fill: none; stroke: var(--q); stroke-opacity: 0.65; }
  .posenc-hands .dot { fill: var(--ink); stroke: var(--paper); stroke-width: 2; }
  .posenc-hands .handle { cursor: ew-resize; outline: none; touch-action: none; } .posenc-hands .handle.held { cursor: grabbing; }
  .posenc-hands .handle .stem { stroke: var(--soft); fill: none; }
  .posenc-hands .handle.query .head circle { fill: var(--q); } .posenc-hands .handle.key .head circle { fill: var(--k); }
  .posenc-hands .handle.query .stem { stroke: var(--q); stroke-width: 2; } .posenc-hands .handle.key .stem { stroke: var(--k); stroke-width: 2; }
  .posenc-hands .handle :is(circle, rect, .head path) { stroke: var(--paper); stroke-width: 2; }
  .posenc-hands svg .handle.query text, .posenc-hands svg .handle.key text { fill: light-dark(white, #171614); font-weight: 700; font-size: 14px; }
  .posenc-hands .handle.both rect { fill: var(--paper); stroke: var(--thin); stroke-width: 1; }
  .posenc-hands .handle.upto .head path { fill: var(--soft); } .posenc-hands .handle.upto .stem { stroke: transparent; }
  .posenc-hands .handle.upto:is(.held, :focus-visible, :hover) .stem { stroke: var(--soft); }
  .posenc-hands .handle:focus-visible :is(circle, rect, .head path) { stroke: var(--ink); stroke-width: 3; }
  .posenc-hands .dial { cursor: pointer; outline: none; } .posenc-hands .dial circle { fill: transparent; stroke: transparent; stroke-width: 2; }
  .posenc-hands .dial:hover circle { stroke: var(--thin); } .posenc-hands .dial.chosen circle { stroke: var(--q); }
  .posenc-hands .dial:focus-visible circle { stroke: var(--ink); stroke-width: 3; }
  .posenc-hands .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.25rem; font-size: 0.875rem; margin-bottom: 0.5rem; }
  .posenc-hands :is(.buttons, .files) { display: flex; flex-wrap: wrap; gap: 0.4rem; } .posenc-hands .files { margin-left: auto; font-size: 0.875rem; }
  .posenc-hands :is(button, .segments) { border: 1px solid var(--thin); border-radius: 0.5rem; background: none; color: inherit; font: inherit; }
  .posenc-hands button { padding: 0.25rem 0.75rem; cursor: pointer; } .posenc-hands button:hover { border-color: var(--q); }
  .posenc-hands .files button { border-color: transparent; padding-inline: 0.4rem; color: var(--soft); }
  .posenc-hands fieldset { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.6rem; border: 0; margin: 0; padding: 0; min-width: 0; }
  .posenc-hands legend { float: left; padding: 0; color: var(--soft); } .posenc-hands .segments { display: inline-flex; flex-wrap: wrap; overflow: hidden; }
  .posenc-hands label { position: relative; } .posenc-hands label span { display: block; padding: 0.25rem 0.7rem; cursor: pointer; }
  .posenc-hands label input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
  .posenc-hands input:checked + span { background: color-mix(in srgb, var(--q) 16%, var(--paper)); font-weight: 600; }
  .posenc-hands :is(button, input + span):focus-visible, .posenc-hands input:focus-visible + span { outline: 3px solid var(--q); outline-offset: -2px; border-radius: 0.5rem; }
  .posenc-hands .numbers { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.1rem 1.4rem; font-size: 1.05rem; font-variant-numeric: tabular-nums; min-height: 1.6em; }
  .posenc-hands .numbers .query b { color: var(--q); } .posenc-hands .numbers .key b { color: var(--k); } .posenc-hands .numbers i { color: var(--soft); }
  .posenc-hands .numbers .query { min-width: 9.5rem; } .posenc-hands .numbers .key { min-width: 9.5rem; } .posenc-hands .numbers .distance { min-width: 5.5rem; }
  .posenc-hands .words p { margin: 0.35rem 0 0; max-width: 52rem; font-variant-numeric: tabular-nums; } .posenc-hands .words .followed { font-size: 0.875rem; color: var(--soft); }
  .posenc-hands .words .sentence { min-height: 3em; }
`;
