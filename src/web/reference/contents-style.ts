/** A drawer opened by a button on narrow screens; from 60rem on, a column that stays in view. */
export const CONTENTS_STYLE = `
.open-contents {
  position: fixed;
  inset-block-end: 1rem;
  inset-inline-end: 1rem;
  z-index: 2;
  min-block-size: 2.75rem;
  padding-inline: 1.125rem;
  border: 1px solid var(--line-strong);
  border-radius: 99px;
  background: var(--raised);
  font-size: 0.9375rem;
  font-weight: 550;
  box-shadow: 0 4px 16px rgb(0 0 0 / 0.14);
}
.close-contents {
  display: block;
  min-block-size: 2rem;
  margin-inline: auto -0.5rem;
  margin-block: -0.5rem 0.5rem;
  padding-inline: 0.625rem;
  border: 0;
  border-radius: 5px;
  background: none;
  color: var(--accent);
  font-size: 0.875rem;
  font-weight: 550;
}
.contents { color: var(--ink); background: var(--paper); font-size: 0.875rem; }
.contents[popover]:popover-open {
  position: fixed;
  inset-block: 0;
  inset-inline: 0 auto;
  inline-size: min(21rem, 88vw);
  block-size: 100dvh;
  max-block-size: none;
  margin: 0;
  padding: 1.25rem;
  border: 0;
  overflow-y: auto;
}
.contents::backdrop { background: rgb(0 0 0 / 0.45); }
.filter { margin-block-end: 1.25rem; }
.filter input {
  inline-size: 100%;
  min-block-size: 2.25rem;
  padding-inline: 0.75rem;
  border: 1px solid var(--line-strong);
  border-radius: 7px;
  background: var(--raised);
  color: inherit;
  font: inherit;
}
.filter input::placeholder { color: var(--soft); opacity: 1; }
.part { margin-block-end: 1.25rem; }
.part > p { padding-block: 0.2rem; font-weight: 650; }
.part ul { list-style: none; }
.contents a {
  display: flex;
  gap: 0.5rem;
  padding: 0.22rem 0.5rem;
  margin-inline: -0.5rem;
  border-radius: 5px;
  color: var(--soft);
  line-height: 1.4;
  text-decoration: none;
}
.contents p a { color: inherit; }
.contents a:hover { color: var(--ink); background: var(--sunken); }
.contents a[aria-current] { color: var(--ink); background: var(--accent-tint); }
.contents .method { flex: none; inline-size: 2.6rem; font-size: 0.6875rem; line-height: 1.85; }

@media (max-width: 59.99rem) {
  html { scroll-padding-block-end: 5rem; }
}
@media (min-width: 60rem) {
  :is(.open-contents, .close-contents) { display: none; }
  .contents[popover] {
    display: block;
    position: sticky;
    inset-block: 3.5rem auto;
    inset-inline: auto;
    inline-size: auto;
    block-size: auto;
    max-block-size: calc(100vh - 3.5rem);
    margin: 0;
    padding-block: 1.75rem 2rem;
    padding-inline: 0.5rem 0.75rem;
    margin-inline-start: -0.5rem;
    border: 0;
    overflow-y: auto;
    align-self: start;
    scrollbar-width: thin;
  }
}
@media print {
  .open-contents, .contents[popover] { display: none; }
}
`
