// How the shuffle looks.

export const SHUFFLE = `
  .posenc-shuffle svg .word { font-weight: 600; }
  .posenc-shuffle .way { display: inline-flex; align-items: center; gap: 0.6rem; } .posenc-shuffle .way input { width: 8rem; accent-color: var(--q); }
  .posenc-shuffle .encoding { display: inline-flex; align-items: center; gap: 0.6rem; }
  .posenc-shuffle label > span { color: var(--soft); }
`;
