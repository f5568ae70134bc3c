export const testingCss = `.testing .steps-taken{padding-left:1.4rem}
.testing .findings{list-style:none;padding:0;display:grid;gap:1rem}
.testing .severity{font-size:.82rem;text-transform:uppercase;letter-spacing:.05em;padding:.1rem .5rem;border:1px solid currentColor;border-radius:999px;color:var(--quiet)}
.testing .severity.critical,.testing .severity.high{color:var(--warn)}
.testing .severity.medium{color:var(--patch)}
.testing .state{font-size:.85rem;padding:.1rem .55rem;border:1px solid var(--line);border-radius:999px;color:var(--quiet)}
.testing .state.failed,.testing .state.rejected{color:var(--warn);border-color:currentColor}
.testing .state.reported,.testing .state.passed{color:var(--accent);border-color:currentColor}
.testing .report{margin-block:2rem}
.testing .evidence dt{font-weight:600;margin-top:.75rem}
.testing .evidence dd{margin:0}
`
