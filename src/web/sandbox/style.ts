/** Beside the shared sheet. Logical properties only. */
export const SANDBOX_STYLE = `
.top-inner { max-inline-size: 68rem; }
.top-links { flex-wrap: wrap; column-gap: 1.25rem; row-gap: 0; }
.sandbox-page {
  max-inline-size: 68rem;
  margin-inline: auto;
  padding-block: clamp(1.25rem, 4vw, 2.5rem) 4rem;
  padding-inline: clamp(1rem, 3vw, 2.5rem);
  display: grid;
  gap: 1.25rem;
  grid-template-columns: minmax(0, 1fr);
}
.opening { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: 0.75rem 2rem; }
.signed-in { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; }
.door { display: grid; gap: 1.25rem; max-inline-size: 34rem; }
.stack { display: grid; gap: 1rem; justify-items: start; }
.field { display: grid; gap: 0.25rem; inline-size: 100%; min-inline-size: 0; }
label, legend { font-weight: 600; font-size: 0.9375rem; padding: 0; }
input, select {
  font: inherit; color: inherit; background: var(--paper);
  inline-size: 100%; min-inline-size: 0; min-block-size: 2.75rem; padding: 0.375rem 0.75rem;
  border: 1px solid var(--line-strong); border-radius: 8px;
}
input[aria-invalid] { border: 2px solid var(--red); }
.sandbox-page button {
  min-block-size: 2.5rem; padding: 0.375rem 0.875rem; border: 1px solid var(--line-strong);
  border-radius: 8px; background: var(--raised); font-weight: 550; font-size: 0.9375rem; line-height: 1.3;
}
.sandbox-page button:hover { background: var(--accent-tint); }
.sandbox-page button.main { min-block-size: 3rem; background: var(--accent); border-color: transparent; color: var(--paper); font-weight: 650; }
.sandbox-page button.main:hover { text-decoration: underline; }
.sandbox-page button.refuse { min-block-size: 3rem; color: var(--red); border-color: var(--red); }
.sandbox-page button.refuse:hover { background: var(--red-tint); }
.sandbox-page button[aria-pressed=true] { background: var(--accent-tint); border: 2px solid var(--accent); }
.notice { padding: 0.625rem 1rem; border-radius: 8px; background: var(--accent-tint); border-inline-start: 4px solid var(--accent); }
.notice a { display: inline-block; padding-block: 0.15rem; }
.notice.bad { background: var(--red-tint); border-color: var(--red); }
.notice.bad a { color: var(--red); }
.notice.warn { background: var(--amber-tint); border-color: var(--amber); color: var(--amber); }
.notice.warn a { color: inherit; }
.tour { display: grid; gap: 0.5rem; justify-items: start; padding: 1rem 1.25rem; border-radius: 10px; background: var(--sunken); }
.tour h2 { font-size: 1.0625rem; }
.tour ol { padding-inline-start: 1.25rem; max-inline-size: 46rem; }
.bench, .beside, .cards { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); align-content: start; }
.card {
  display: grid; gap: 0.75rem; align-content: start; min-inline-size: 0; padding: 1.125rem 1.25rem;
  border: 1px solid var(--line); border-radius: 10px; background: var(--raised);
}
.card h2, .card h3 { font-size: 1.0625rem; letter-spacing: 0; }
.choices { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; padding: 0; border: 0; min-inline-size: 0; }
.choices legend { margin-block-end: 0.375rem; }
.changes { list-style: none; display: grid; gap: 0.5rem; }
.changes li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; overflow-wrap: anywhere; }
.card button { position: relative; }
.controls { display: grid; gap: 1rem; margin-block-start: 1.5rem; }
summary { min-block-size: 2.5rem; padding-block: 0.5rem; font-weight: 600; color: var(--red); cursor: pointer; }
h4 { font-size: 0.9375rem; }
.delivery summary { color: inherit; font-weight: 550; font-size: 0.9375rem; overflow-wrap: anywhere; }
.country { border-block-end: 1px solid var(--line); }
.country summary { color: inherit; }
.country section { margin-block-end: 1.5rem; }
.country h2 { font-size: 1.0625rem; margin-block: 0.5rem; }
.numbers { inline-size: 100%; border-collapse: collapse; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
.numbers :is(th, td) { padding-block: 0.3rem; padding-inline: 0 0.75rem; border-block-start: 1px solid var(--line); text-align: start; font-weight: 400; overflow-wrap: anywhere; }
.numbers thead th { font-weight: 600; }
.device { display: flex; flex-wrap: wrap; gap: 1rem 1.25rem; align-items: start; overflow-wrap: anywhere; }
.device > div { flex: 1 1 12rem; display: grid; gap: 0.5rem; min-inline-size: 0; }
.device svg { border-radius: 6px; }

.handset {
  inline-size: 100%; max-inline-size: 22rem; justify-self: center; align-self: start;
  padding: 0.75rem; border-radius: 2.25rem; background: #202623; border: 1px solid #3a423d;
}
.speaker { inline-size: 4rem; block-size: 0.375rem; margin: 0.25rem auto 0.75rem; border-radius: 99px; background: #4a534d; }
.screen { display: grid; gap: 1rem; align-content: start; min-block-size: 22rem; padding: 1rem; border-radius: 1.25rem; background: var(--paper); }
.screen.empty { align-content: center; text-align: center; gap: 0.75rem; }
.screen h2, .screen h3 { font-size: 1.0625rem; letter-spacing: 0; }
.screen h3 { font-size: 0.9375rem; }
.screen h3:focus { outline: 0; }
.status-bar { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 0.75rem; padding-block-end: 0.625rem; border-block-end: 1px solid var(--line); }
.idle { display: grid; gap: 0.5rem; justify-items: start; }
.again { display: inline-block; padding-block: 0.25rem; font-size: 0.9375rem; }
.prompt { padding: 1rem; border-radius: 1rem; background: var(--raised); border: 2px solid var(--accent); }
.prompt form { display: grid; gap: 0.375rem; margin-block-start: 0.75rem; }
.ask { font-size: 1.1875rem; font-weight: 650; line-height: 1.3; margin-block: 0.25rem; }
#pin { font-size: 1.25rem; letter-spacing: 0.4em; text-align: center; }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: 0.5rem; margin-block-start: 0.375rem; }
.tabs { display: flex; gap: 0.25rem; border-block-end: 1px solid var(--line); }
.tabs a { padding: 0.5rem 0.75rem; border-block-end: 3px solid transparent; color: inherit; font-weight: 550; text-decoration: none; }
.tabs a[aria-current] { border-color: var(--accent); color: var(--accent); }
.entry { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.75rem; }
.sum { font-weight: 650; font-variant-numeric: tabular-nums; }
.messages { display: grid; gap: 0.375rem; min-inline-size: 0; }
.messages ol { list-style: none; display: grid; gap: 0.5rem; max-block-size: 15rem; overflow-y: auto; border-radius: 0.5rem; }
.messages li { padding: 0.5rem 0.75rem; border-radius: 0.875rem; background: var(--sunken); font-size: 0.9375rem; line-height: 1.4; overflow-wrap: anywhere; }
.messages .answers { margin-block: 0.5rem; }
.messages time { font-size: 0.8125rem; }
.offline:empty { display: none; }
.offline { padding: 0.5rem 0.75rem; border-radius: 0.5rem; background: var(--amber-tint); color: var(--amber); }
.dialler { display: grid; gap: 0.25rem; padding: 0.875rem 0.5rem 0.5rem; color: #f2f5f3; }
.dialler .note { color: #b9c2bc; white-space: pre-wrap; }
.dialler .row { display: flex; gap: 0.5rem; }
.dialler input, .sandbox-page .dialler button { background: #2d3530; color: #f2f5f3; border-color: #8b968f; border-radius: 99px; }
.sandbox-page .dialler button:hover { background: #46514a; }
.dialler :focus-visible { outline-color: #73cba6; }

.product { max-inline-size: 46rem; }
.product > div { display: grid; gap: 0.625rem; min-inline-size: 0; }
.price { font-size: 1.5rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.bag-body { fill: #8a5a36; } .bag-fold { fill: #6f4626; } .bag-bean { fill: #f3e7d8; }
.bag-line { fill: none; stroke: #8a5a36; stroke-width: 2.5; stroke-linecap: round; }
.ways { display: grid; gap: 1rem; margin-block-start: 0.5rem; }
.ways .note { overflow-wrap: anywhere; margin-block-start: 0.25rem; }
.ways button { inline-size: 100%; }
.facts > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding-block: 0.4rem; border-block-start: 1px solid var(--line); }
.facts dd { overflow-wrap: anywhere; font-weight: 550; }
.onwards { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; }
.onwards a { padding-block: 0.25rem; }

@media (min-width: 46rem) {
  .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start; }
  .controls .cards { display: block; columns: 2; column-gap: 1.25rem; }
  .controls .card { break-inside: avoid; margin-block-end: 1.25rem; }
  .product { grid-template-columns: auto minmax(0, 1fr); gap: 2rem; }
  .ways { grid-template-columns: 1fr 1fr; }
}
@media (min-width: 60rem) {
  .bench { grid-template-columns: 22rem minmax(0, 1fr); gap: 2rem; }
}
`
