/** One narrow column with two large buttons. */
export const WALLET_STYLE = `
.wallet { max-inline-size: 30rem; margin-inline: auto; padding: 2rem 1rem; }
.wallet .note { margin-block: 0 1.5rem; }
.wallet .lead { margin-block: 0.75rem 1.5rem; }
.answers { display: flex; gap: 0.75rem; flex-wrap: wrap; }
.answers form { flex: 1 1 10rem; }
.answers button {
  inline-size: 100%;
  min-block-size: 3rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--paper);
  font-weight: 600;
}
.qr { display: none; margin: 2rem 0 0; color: var(--soft); font-size: 0.875rem; text-align: center; }
@media (min-width: 37.5rem) { .qr { display: block; } }
.answers .approve { background: var(--accent); border-color: var(--accent); color: var(--paper); }
`
