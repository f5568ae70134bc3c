export const publicCss = `.lists ul{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;list-style:none;margin:0 0 1rem;padding:0}
.lists a{display:inline-block;padding-block:.3rem;text-decoration:none}
.lists [aria-current]{color:var(--text);font-weight:600;box-shadow:0 2px 0 var(--accent)}
.board .tag{white-space:nowrap;max-width:100%;overflow:hidden;text-overflow:ellipsis;display:inline-block;vertical-align:bottom}
.ledger>.state,.status-page>.state{margin-bottom:1.75rem}
.held{display:block;color:var(--quiet);font-size:.85rem}
.pager{display:flex;gap:1.5rem;margin:1rem 0}
.entries{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
.entries li{display:grid;grid-template-columns:4.5rem minmax(0,1fr) auto;gap:.2rem 1rem;align-items:center;padding:.6rem .2rem;border-bottom:1px solid var(--line)}
.entries .number{font-variant-numeric:tabular-nums}
.entries .when{margin:0}
.entries .hash{color:var(--quiet)}
.status-page .counts{padding-block:1rem}
@media (max-width:34rem){.held{display:inline}.entries li{grid-template-columns:3.5rem minmax(0,1fr)}.entries .hash{grid-column:2}}
`
