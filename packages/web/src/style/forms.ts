export const formsCss = `.form{display:grid;gap:1rem;max-width:36rem;margin:0 0 1.5rem}
.form.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end;max-width:none}
.field{display:grid;gap:.3rem;min-width:0}
.field label,.field legend,fieldset legend{font-weight:600;padding:0}
.field .hint{color:var(--quiet);font-size:.9rem;margin:0}
.field .wrong,.wrong{color:var(--warn)}
fieldset{border:0;margin:0;padding:0;min-width:0;display:grid;gap:.5rem}
input:not([type=checkbox],[type=radio]),select,textarea{width:100%;min-height:2.75rem;padding:.55rem .75rem;font:inherit;color:var(--text);background:var(--raised);border:1px solid var(--quiet);border-radius:8px}
textarea{min-height:8rem;resize:vertical}
input[type=checkbox],input[type=radio]{flex:none;width:1.2rem;height:1.2rem;accent-color:var(--accent)}
.check{display:flex;gap:.6rem;align-items:start}
button,.button{font:inherit;font-weight:600;min-height:2.75rem;padding:.55rem 1.2rem;border:1px solid var(--accent);border-radius:999px;background:var(--accent);color:var(--ground);cursor:pointer;justify-self:start;text-decoration:none;display:inline-block}
button:hover,.button:hover{text-decoration:underline}
button.quiet,.button.quiet{background:transparent;color:var(--accent)}
button.danger{background:transparent;border-color:var(--warn);color:var(--warn)}
header.site .session{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center;margin:0}
header.site .session button{min-height:2.25rem;padding:.25rem .9rem}
.who{color:var(--quiet);overflow-wrap:anywhere}
.panel{max-width:36rem;padding-block:clamp(1.5rem,6vh,4rem);overflow-wrap:anywhere}
.cards{display:grid;gap:1rem;margin:0 0 1.5rem;padding:0;list-style:none}
.card{padding:1rem 1.1rem;background:var(--raised);border:1px solid var(--line);border-radius:10px;overflow-wrap:anywhere}
.card>:last-child{margin-bottom:0}
.facts{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.3rem 1rem;margin:0 0 1rem}
.facts dt{color:var(--quiet)}
.facts dd{margin:0;overflow-wrap:anywhere}
code.code{font-size:1.4rem;letter-spacing:.08em}
.note{background:var(--sunken);border-left:4px solid var(--accent);border-radius:6px;padding:.8rem 1rem;margin:0 0 1.25rem}
.note.bad{border-left-color:var(--warn)}
.note>:last-child{margin-bottom:0}
@media (max-width:30rem){.facts{grid-template-columns:1fr;gap:0}.facts dd{margin-bottom:.6rem}}
`
