/** Shared look. Logical properties only, so that a right-to-left language needs no second sheet. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf8;
  --raised: #ffffff;
  --sunken: #f4f2ec;
  --ink: #1b201d;
  --soft: #59605b;
  --line: #e2dfd6;
  --line-strong: #8b9089;
  --accent: #0b6b4e;
  --accent-tint: #e4f1eb;
  --key: #0b6b4e;
  --blue: #2a5a9b;
  --amber: #7d4e00;
  --amber-tint: #faefd3;
  --red: #a42a22;
  --red-tint: #fbe9e7;
  --sans: -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans',
    'Liberation Sans', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, 'Cascadia Code', Consolas,
    'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131614;
    --raised: #1a1e1b;
    --sunken: #1d211f;
    --ink: #e6e9e6;
    --soft: #a2aaa4;
    --line: #2d322f;
    --line-strong: #737b75;
    --accent: #73cba6;
    --accent-tint: #1a3329;
    --key: #8fd3b5;
    --blue: #93b8ea;
    --amber: #e5bb68;
    --amber-tint: #352a14;
    --red: #f0938a;
    --red-tint: #3b1f1c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html {
  font: 100%/1.6 var(--sans);
  color: var(--ink);
  background: var(--paper);
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
  scroll-padding-block-start: 5rem;
}
body { margin: 0; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { margin: 0; line-height: 1.25; font-weight: 650; text-wrap: balance; }
h1 {
  font-size: clamp(1.75rem, 1.35rem + 1.8vw, 2.5rem);
  letter-spacing: -0.022em;
  line-height: 1.15;
}
h2 { font-size: 1.375rem; letter-spacing: -0.012em; }
h3 { font-size: 1.0625rem; }
p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre, kbd { font-family: var(--mono); font-size: 0.875em; }
:not(pre) > code { overflow-wrap: anywhere; }
:is(p, li, td) > code {
  padding: 0.08em 0.25em;
  border-radius: 4px;
  background: var(--sunken);
  font-size: 0.84em;
  -webkit-box-decoration-break: clone;
  box-decoration-break: clone;
}
button { font: inherit; color: inherit; cursor: pointer; }
[hidden] { display: none !important; }

.quiet {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.skip {
  position: absolute;
  inset-block-start: -5rem;
  inset-inline-start: 1rem;
  z-index: 3;
  padding: 0.5rem 1rem;
  background: var(--raised);
  border-radius: 0 0 8px 8px;
}
.skip:focus { inset-block-start: 0; }

.top {
  position: sticky;
  inset-block-start: 0;
  z-index: 2;
  background: var(--paper);
  border-block-end: 1px solid var(--line);
}
.top-inner {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  column-gap: 1.5rem;
  min-block-size: 3.5rem;
  margin-inline: auto;
  padding-inline: clamp(1rem, 3vw, 2.5rem);
}
.top a { color: var(--soft); text-decoration: none; font-size: 0.9375rem; }
.top a:hover { color: var(--ink); text-decoration: underline; }
.top .mark {
  display: inline-flex;
  align-items: center;
  gap: 0.55rem;
  padding-block: 0.5rem;
  color: var(--ink);
  font-weight: 650;
  font-size: 1.0625rem;
  letter-spacing: -0.01em;
  text-decoration: none;
}
.mark-ground { fill: var(--accent); }
.mark-line {
  fill: none;
  stroke: var(--paper);
  stroke-width: 1.8;
  stroke-linecap: round;
  stroke-linejoin: round;
}
.top-links, .languages { display: flex; gap: 1.25rem; }
.top-links a, .languages a { display: inline-block; padding-block: 0.45rem; }
.languages { margin-inline-start: auto; gap: 0.875rem; }
.top [aria-current] {
  color: var(--ink);
  box-shadow: inset 0 -2px 0 var(--accent);
}
@media (max-width: 40rem) {
  .top { position: static; }
  html { scroll-padding-block-start: 4rem; }
  .top-inner { padding-block-end: 0.25rem; }
  .languages { order: 1; }
  .top-links { order: 2; inline-size: 100%; }
}

.code {
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--raised);
  overflow: hidden;
}
.code figcaption {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
  min-block-size: 2.25rem;
  padding-block: 0.25rem;
  padding-inline: 0.875rem 0.375rem;
  border-block-end: 1px solid var(--line);
  background: var(--sunken);
  color: var(--soft);
  font-size: 0.8125rem;
}
.code figcaption small { display: block; font-size: 0.8125rem; color: var(--ink); }
.code pre { padding: 0.875rem; overflow-x: auto; }
.code pre:focus-visible { outline-offset: -2px; }
.code pre code {
  display: block;
  inline-size: max-content;
  font-size: 0.8125rem;
  line-height: 1.55;
  tab-size: 2;
}
.code .key { color: var(--key); }
.copy {
  flex: none;
  min-block-size: 1.75rem;
  min-inline-size: 3.5rem;
  padding: 0 0.625rem;
  border: 1px solid transparent;
  border-radius: 5px;
  background: transparent;
  color: var(--accent);
  font-size: 0.8125rem;
  font-weight: 550;
}
.copy:hover { background: var(--accent-tint); }

.badge {
  display: inline-block;
  padding: 0.1rem 0.55rem;
  border-radius: 99px;
  background: var(--sunken);
  color: var(--soft);
  font-size: 0.8125rem;
  font-weight: 600;
}
.badge.sandbox { background: var(--amber-tint); color: var(--amber); }
.badge.live { background: var(--accent-tint); color: var(--accent); }
.lead { color: var(--soft); font-size: 1.0625rem; max-inline-size: 40rem; text-wrap: pretty; }
.note { color: var(--soft); font-size: 0.875rem; }
.measure { max-inline-size: 42rem; }

@media print {
  :root { --paper: #fff; --raised: #fff; --sunken: #f6f6f6; --ink: #000; --soft: #444; }
  .top, .skip, .copy { display: none !important; }
  .code pre { white-space: pre-wrap; overflow: visible; }
  .code pre code { inline-size: auto; }
  a { color: inherit; }
}
`
