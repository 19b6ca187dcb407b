export const HOME_STYLE = `
.top-inner { max-inline-size: 68rem; }
.home {
  max-inline-size: 68rem;
  margin-inline: auto;
  padding-block: clamp(2rem, 6vw, 4.5rem) 5rem;
  padding-inline: clamp(1rem, 3vw, 2.5rem);
}
.home > section { margin-block-start: clamp(3rem, 7vw, 5rem); }
.home > section > h2 { margin-block-end: 1.25rem; }
.opening { display: grid; gap: 2.5rem clamp(2rem, 5vw, 4.5rem); }
.intro { display: grid; gap: 1.25rem; align-content: start; }
.facts dt { color: var(--soft); font-size: 0.875rem; margin-block-end: 0.375rem; }
.base {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem;
  max-inline-size: 30rem;
  min-block-size: 3rem;
  padding-block: 0.375rem;
  padding-inline: 1rem 0.5rem;
}
.base code { font-size: 0.9375rem; }
.environment { color: var(--soft); font-size: 0.9375rem; }
.environment .badge { margin-inline-end: 0.25rem; }

.state {
  align-self: start;
  padding: 1.25rem 1.375rem;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--raised);
}
.state h2 { font-size: 0.875rem; font-weight: 550; letter-spacing: 0; color: var(--soft); }
.verdict {
  display: flex;
  align-items: center;
  gap: 0.55rem;
  margin-block: 0.35rem 1rem;
  font-size: 1.125rem;
  font-weight: 650;
  letter-spacing: -0.01em;
}
.verdict svg { flex: none; }
.verdict circle { fill: var(--accent); }
.verdict path {
  fill: none;
  stroke: var(--raised);
  stroke-width: 1.9;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.verdict.bad { color: var(--red); }
.verdict.bad circle { fill: var(--red); }
.state dl > div {
  display: flex;
  flex-wrap: wrap;
  justify-content: space-between;
  column-gap: 1rem;
  padding-block: 0.4rem;
  border-block-start: 1px solid var(--line);
  font-size: 0.9375rem;
}
.state dt { color: var(--soft); }
.state dd { font-weight: 550; font-variant-numeric: tabular-nums; text-align: end; }
.state .note { font-size: 0.8125rem; }
.state dl + .note { margin-block-start: 0.75rem; }
.verdict + .note { margin-block-end: 1rem; }

.in-browser { margin-block-end: 1.25rem; }
.in-browser a { display: inline-block; padding-block: 0.15rem; margin-inline-end: 1rem; font-weight: 550; }

.steps { list-style: none; counter-reset: step; border-block-start: 1px solid var(--line); }
.steps > li {
  counter-increment: step;
  display: grid;
  gap: 1rem;
  padding-block: 1.75rem;
  border-block-end: 1px solid var(--line);
}
.steps > li > div { min-inline-size: 0; max-inline-size: 38rem; }
.steps > li > figure { min-inline-size: 0; align-self: start; }
.steps h3::before {
  content: counter(step);
  display: inline-block;
  min-inline-size: 1.375rem;
  color: var(--accent);
  font-variant-numeric: tabular-nums;
}
.steps p { margin-block-start: 0.4rem; color: var(--soft); font-size: 0.9375rem; }
.steps p code { color: var(--ink); }
.onward { display: inline-block; padding-block: 0.15rem; font-weight: 550; }

.places { list-style: none; border-block-start: 1px solid var(--line); }
.places li {
  display: grid;
  gap: 0 1.5rem;
  padding-block: 0.625rem;
  border-block-end: 1px solid var(--line);
  font-size: 0.9375rem;
}
.places a { justify-self: start; padding-block: 0.2rem; }
.places a code { padding: 0; background: none; font-size: 0.9rem; }
.places span { color: var(--soft); align-self: center; }

@media (min-width: 48rem) {
  .places li { grid-template-columns: 11rem 1fr; }
}
@media (min-width: 60rem) {
  .opening { grid-template-columns: minmax(0, 1fr) 21rem; }
  .steps > li { grid-template-columns: 18rem minmax(0, 1fr); column-gap: clamp(2rem, 5vw, 4.5rem); }
}
`
