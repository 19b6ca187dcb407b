/** One small sheet for every customer's screen. Logical properties only; no request beside the page. */
export const PAY_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f3f4f1; --card: #fff; --ink: #18201c; --soft: #565e59; --line: #d9dcd6;
  --edge: #848b86; --accent: #0b6b4e; --deep: #08543d; --on: #fff; --tint: #e6f2ec;
  --red: #a8251d; --red-tint: #fcebe9; --amber: #774a00; --amber-tint: #fdf1d7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #101311; --card: #191d1a; --ink: #e8ebe8; --soft: #a5ada8; --line: #333935;
    --edge: #7b847e; --accent: #72cba5; --deep: #93dabc; --on: #07261b; --tint: #16301f;
    --red: #f39a92; --red-tint: #3a1d1a; --amber: #e9c06f; --amber-tint: #332813;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html {
  font: 100%/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif;
  color: var(--ink); background: var(--card);
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
}
body { margin: 0; overflow-wrap: anywhere; }
.page {
  position: relative; display: flex; flex-direction: column; min-block-size: 100vh;
  max-inline-size: 27rem; margin-inline: auto; padding-inline: 1.25rem;
}
header {
  min-block-size: 3rem; padding-block: .75rem .5rem; padding-inline-end: 6rem;
  font-weight: 650; line-height: 1.5rem; border-block-end: 1px solid var(--line);
}
main { padding-block: 1rem 1.5rem; }
h1, h2, p, ol, ul, dl, dd, figure, fieldset { margin: 0; padding: 0; border: 0; }
h1 { font-size: 1.375rem; line-height: 1.25; letter-spacing: -.012em; text-wrap: balance; }
h1:focus { outline: 0; }
h1.small { font-size: 1rem; font-weight: 400; letter-spacing: 0; color: var(--soft); }
h2 { font-size: 1rem; }
h1 + p { margin-block-start: .5rem; }
.amount { font-size: 2rem; line-height: 1.2; font-weight: 680; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
h1 + p.amount { margin-block-start: 0; }
.reason, .note, .hint, .time, small { color: var(--soft); font-size: .875rem; }
form { margin-block-start: 1rem; }
.leave { margin-block-start: 0; }
.field { margin-block-end: 1rem; min-inline-size: 0; }
label, legend, .label { display: block; font-weight: 600; padding: 0; }
.hint { margin-block-end: .25rem; }
.boxed {
  display: flex; align-items: center; min-block-size: 3rem; margin-block-start: .25rem;
  border: 1px solid var(--edge); border-radius: .625rem; background: var(--card); overflow: hidden;
}
.boxed > bdi { flex: none; padding-inline: .875rem; color: var(--soft); }
.boxed > bdi:first-child { padding-inline-end: 0; }
input, select, button { font: inherit; color: inherit; }
.boxed input, .boxed select {
  flex: 1; min-inline-size: 0; inline-size: 100%; min-block-size: 3rem; padding-inline: .875rem;
  border: 0; background: transparent; outline: 0;
}
.boxed bdi + input { padding-inline-start: .5rem; }
.boxed input + select { flex: none; inline-size: auto; border-inline-start: 1px solid var(--line); }
.boxed option { background: var(--card); }
.boxed:focus-within { outline: 3px solid var(--accent); outline-offset: 1px; border-color: transparent; }
.boxed:has([aria-invalid]) { border: 2px solid var(--red); }
.rows { margin-block-start: .25rem; border: 1px solid var(--edge); border-radius: .625rem; overflow: hidden; }
.row {
  display: flex; align-items: center; gap: .75rem; min-block-size: 3rem; padding-inline: .875rem;
  font-weight: 400; cursor: pointer;
}
.row + .row { border-block-start: 1px solid var(--line); }
.row:has(:checked) { background: var(--tint); }
.row:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: -3px; }
.row:has(:disabled) { color: var(--soft); cursor: default; }
.row:has(:disabled) svg { filter: grayscale(1); opacity: .5; }
.row small { display: block; line-height: 1.2; }
.row input { flex: none; inline-size: 1.25rem; block-size: 1.25rem; margin: 0; accent-color: var(--accent); outline: 0; }
.tile { flex: none; }
.tile text { font: 700 11px system-ui, sans-serif; }
.fixed { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-block-end: .75rem; }
.fixed .label { font-weight: 400; color: var(--soft); }
.fixed bdi { font-weight: 600; }
.line { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; margin-block-end: .75rem; }
.line .fixed { flex: 1; margin: 0; }
.line a { padding-block: .25rem; font-size: .875rem; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.button {
  display: block; inline-size: 100%; min-block-size: 3.25rem; margin-block-start: 1rem; padding: .4375rem 1rem;
  border: 1px solid transparent; border-radius: .625rem; background: var(--accent); color: var(--on);
  font-weight: 650; line-height: 1.4; text-align: center; text-decoration: none; cursor: pointer;
}
a.button { padding-block: .875rem; }
.button:hover { background: var(--deep); }
.button small { display: block; color: inherit; font-weight: 400; line-height: 1.2; }
.button.second { background: transparent; color: var(--accent); border-color: var(--edge); }
.button.second:hover { background: var(--tint); }
.plain {
  display: block; inline-size: fit-content; min-block-size: 2.75rem; margin: .25rem auto 0; padding: .625rem .75rem;
  border: 0; background: none; color: var(--accent); text-align: center; text-decoration: underline;
  text-underline-offset: .2em; cursor: pointer;
}
.time { text-align: center; }
.short, .slow, .offline:not(:empty) { padding: .5rem .75rem; border-radius: .5rem; background: var(--amber-tint); color: var(--amber); }
.slow, .offline:not(:empty) { margin-block-start: .75rem; }
.summary { margin-block-end: 1rem; padding: .75rem 1rem; border: 2px solid var(--red); border-radius: .625rem; }
.summary:focus { outline: 0; }
.summary ul { list-style: none; }
.summary a, .error { color: var(--red); font-weight: 600; }
.summary a { display: inline-block; padding-block: .125rem; }
.summary.asks { border-color: var(--edge); background: var(--amber-tint); color: var(--amber); }
.summary.asks a { color: inherit; }
.error { margin-block: .125rem .25rem; }
.sign { display: block; margin: .5rem auto .75rem; }
.sign circle { fill: var(--tint); }
.sign path { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.sign.bad circle { fill: var(--red-tint); }
.sign.bad path { stroke: var(--red); }
.sign.time circle, .sign.stop circle { fill: var(--amber-tint); }
.sign.time path, .sign.stop path { stroke: var(--amber); }
.sign ~ h1, .sign ~ p { text-align: center; }
.sign ~ .note { margin-block-start: .5rem; }
.steps { margin-block-start: .75rem; padding: .75rem 1rem; border-radius: .625rem; background: var(--paper); }
.steps ol { padding-inline-start: 1.25rem; }
.steps li + li { margin-block-start: .25rem; }
.dial { display: inline-block; margin-block-start: .5rem; padding-block: .375rem; font-weight: 600; }
.pending { display: flex; align-items: center; gap: .75rem; margin-block-start: 1rem; font-weight: 600; }
.spinner { flex: none; inline-size: 1.25rem; block-size: 1.25rem; border: 3px solid var(--line); border-block-start-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation: none; } }
details { margin-block-start: .75rem; }
summary { min-block-size: 2.75rem; padding-block: .625rem; font-weight: 600; color: var(--accent); cursor: pointer; }
details .steps { margin-block-start: 0; }
.button ~ .note, details ~ .note { margin-block-start: .75rem; }
.note + .note { margin-block-start: .25rem; }
.qr { display: none; }
dl { margin-block-start: 1rem; border-block-start: 1px solid var(--line); }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding-block: .5rem; border-block-end: 1px solid var(--line); }
dt { color: var(--soft); }
dd { text-align: end; }
.leaving { margin-block-start: 1rem; text-align: center; }
#leaving:not([hidden]) ~ #return { display: none; }
.id { font-size: .8125rem; }
.whole { white-space: nowrap; }
footer { margin-block-start: auto; padding-block-end: 1rem; text-align: center; }
.sandbox { display: inline-block; padding: .125rem .75rem; border-radius: 99px; background: var(--amber-tint); color: var(--amber); font-size: .8125rem; }
.language {
  position: absolute; inset-block-start: .375rem; inset-inline-end: .75rem; min-block-size: 2.25rem; padding: .375rem .5rem;
  border: 0; background: none; color: var(--accent); font-size: .9375rem; line-height: 1.5rem; text-decoration: underline;
  text-underline-offset: .2em; cursor: pointer;
}
.quiet { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden] { display: none !important; }
@media (scripting: enabled) { [data-after] { display: none; } }
@media (min-width: 37.5rem) {
  html { background: var(--paper); }
  .page { min-block-size: 0; margin-block: 3rem; padding-inline: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
  header { padding-block-start: 1rem; min-block-size: 3.5rem; }
  .language { inset-block-start: .625rem; inset-inline-end: 1.5rem; }
  main { padding-block: 1.5rem; }
  .qr { display: block; margin-block-start: 1rem; color: var(--soft); font-size: .875rem; text-align: center; }
}
@media print { .button, .plain, .language, #leaving { display: none; } }
`
