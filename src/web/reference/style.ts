export const REFERENCE_STYLE = `
.top-inner { max-inline-size: 90rem; }
.reference {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  max-inline-size: 90rem;
  margin-inline: auto;
  padding-inline: clamp(1rem, 3vw, 2.5rem);
}
.reference main { padding-block: clamp(1.75rem, 4vw, 3rem) 6rem; }
.reference h1 small {
  display: block;
  margin-block-start: 0.35rem;
  color: var(--soft);
  font-size: 1.0625rem;
  font-weight: 400;
  letter-spacing: 0;
}
.edition {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
  margin-block: 1rem 1.5rem;
  color: var(--soft);
  font-size: 0.875rem;
}
.anchor { color: inherit; text-decoration: none; }
.anchor:hover { text-decoration: underline; }

.prose { max-inline-size: 44rem; }
.prose > * + * { margin-block-start: 0.75rem; }
.prose > :is(h2, h3, h4, h5) { margin-block-start: 2rem; }
.prose > :first-child { margin-block-start: 0; }
.prose :is(ul, ol) { padding-inline-start: 1.375rem; }
.prose li + li { margin-block-start: 0.25rem; }
.prose pre {
  padding: 0.875rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--raised);
  overflow-x: auto;
}
.prose pre code { font-size: 0.8125rem; }
.introduction .prose { margin-block-start: 1.75rem; }
.introduction .prose > h2 { margin-block-start: 2.5rem; }
.scroll { overflow-x: auto; }
.scroll table { border-collapse: collapse; min-inline-size: 100%; font-size: 0.9375rem; }
.scroll :is(th, td) {
  padding-block: 0.45rem;
  padding-inline: 0 1.25rem;
  border-block-end: 1px solid var(--line);
  text-align: start;
  vertical-align: baseline;
}
.scroll.long { max-block-size: 26rem; overflow-y: auto; border-block-end: 1px solid var(--line); }
.scroll.long thead { position: sticky; inset-block-start: 0; background: var(--paper); }
.scroll code { white-space: nowrap; }
.scroll th { color: var(--soft); font-size: 0.8125rem; font-weight: 550; }

.group {
  margin-block-start: 4.5rem;
  padding-block-start: 2.25rem;
  border-block-start: 1px solid var(--line-strong);
}
.group > h2 { font-size: 1.625rem; margin-block-end: 0.75rem; letter-spacing: -0.018em; }
.operation {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.5rem;
  margin-block-start: 2.75rem;
  padding-block-start: 2.25rem;
  border-block-start: 1px solid var(--line);
}
.operation h3 { font-size: 1.25rem; letter-spacing: -0.01em; }
.operation h4 { margin-block: 1.75rem 0.5rem; font-size: 0.9375rem; }
.answers h4 { margin-block-start: 0.25rem; }
.call {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0.2rem 0.625rem;
  margin-block: 0.375rem 0.875rem;
  font-size: 0.9375rem;
}
.call code { padding: 0; background: none; font-size: 0.9375rem; }
.method { font: 700 0.75rem/1.6 var(--mono); letter-spacing: 0.03em; color: var(--blue); }
.method.post { color: var(--accent); }
.method:is(.put, .patch) { color: var(--amber); }
.method.delete { color: var(--red); }
.access { margin-block-start: 0.75rem; color: var(--soft); font-size: 0.875rem; }
.samples { display: grid; gap: 1rem; align-content: start; min-inline-size: 0; }
.about > .note { margin-block-start: 0.625rem; }

.fields {
  inline-size: 100%;
  border-collapse: collapse;
  table-layout: fixed;
  font-size: 0.875rem;
  line-height: 1.5;
}
.fields :is(th, td) {
  padding-block: 0.55rem;
  padding-inline: 0 0.875rem;
  border-block-start: 1px solid var(--line);
  text-align: start;
  vertical-align: baseline;
  font-weight: 400;
}
.fields thead th { padding-block: 0.25rem; border: 0; color: var(--soft); font-size: 0.8125rem; }
.fields thead th:nth-child(1) { inline-size: 34%; }
.fields thead th:nth-child(2) { inline-size: 18%; }
.fields .name { padding: 0; background: none; font-size: 0.8125rem; font-weight: 650; }
.fields span.name { font-size: 0.875rem; font-style: italic; font-weight: 500; }
.duty { display: block; color: var(--soft); font-size: 0.8125rem; }
.duty.must { color: var(--amber); }
.type code { padding: 0; background: none; color: var(--soft); }
.depth-1 th { padding-inline-start: 1rem; }
.depth-2 th { padding-inline-start: 2rem; }
.depth-3 th { padding-inline-start: 3rem; }
.depth-4 th { padding-inline-start: 4rem; }
:is(.depth-5, .depth-6) th { padding-inline-start: 5rem; }
.rules { list-style: none; color: var(--soft); font-size: 0.8125rem; }
.rules code { color: var(--ink); }
p + .rules { margin-block-start: 0.15rem; }
.rules li { display: inline; }
.rules li + li::before { content: ' · '; }

.answer { border-block-start: 1px solid var(--line); }
.answer:last-child { border-block-end: 1px solid var(--line); }
.answer > summary {
  display: flex;
  align-items: baseline;
  gap: 0.75rem;
  padding-block: 0.55rem;
  font-size: 0.9375rem;
  cursor: pointer;
  list-style: none;
}
.answer > summary::-webkit-details-marker { display: none; }
.answer > summary::after {
  content: '';
  flex: none;
  align-self: center;
  inline-size: 0.45rem;
  block-size: 0.45rem;
  margin-inline: auto 0.375rem;
  border-block-end: 1.5px solid var(--soft);
  border-inline-end: 1.5px solid var(--soft);
  transform: rotate(45deg);
}
.answer[open] > summary::after { transform: rotate(225deg); }
.answer > summary:hover > span { text-decoration: underline; text-underline-offset: 0.2em; }
.answer > :not(summary) { margin-block-end: 1rem; }
.status { font: 700 0.8125rem var(--mono); color: var(--soft); }
.status.s2 { color: var(--accent); }
.status:is(.s4, .s5) { color: var(--red); }

@media (max-width: 44rem) {
  .fields thead {
    position: absolute;
    clip-path: inset(50%);
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
  }
  .fields, .fields tbody { display: block; }
  .fields tr {
    display: grid;
    grid-template-columns: 1fr auto;
    column-gap: 1rem;
    padding-block: 0.625rem;
    border-block-start: 1px solid var(--line);
  }
  .fields :is(th, td) { padding: 0; border: 0; }
  .fields td:last-child { grid-column: 1 / -1; margin-block-start: 0.25rem; }
  .fields .depth-1 { padding-inline-start: 0.875rem; }
  .fields .depth-2 { padding-inline-start: 1.75rem; }
  .fields .depth-3 { padding-inline-start: 2.625rem; }
  .fields :is(.depth-4, .depth-5, .depth-6) { padding-inline-start: 3.5rem; }
}
@media (min-width: 60rem) {
  .reference { grid-template-columns: 15rem minmax(0, 1fr); column-gap: clamp(1.5rem, 3vw, 3rem); }
}
@media (min-width: 75rem) {
  .operation {
    grid-template: 'about samples' auto 'answers samples' 1fr / minmax(0, 1fr) 26.5rem;
    column-gap: clamp(2.25rem, 3vw, 3.5rem);
  }
  .samples pre code { font-size: 0.75rem; }
  .about { grid-area: about; }
  .answers { grid-area: answers; }
  .samples { grid-area: samples; position: sticky; inset-block-start: 4.75rem; align-self: start; }
}
@media print {
  .reference { display: block; max-inline-size: none; padding: 0; }
  .operation { display: block; }
  .operation > * + * { margin-block-start: 1rem; }
  .group { break-before: page; border: 0; margin: 0; }
  :is(tr, summary, figure) { break-inside: avoid; }
  :is(h2, h3, h4) { break-after: avoid; }
  .answer::details-content { content-visibility: visible; block-size: auto; }
  .answer > summary::after { display: none; }
  .scroll.long { max-block-size: none; }
}
`
