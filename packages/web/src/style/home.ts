export const homeCss = `.hero{padding-block:clamp(1.5rem,7vw,5rem) clamp(1.5rem,4vw,3rem);max-width:46rem}
.hero p.lead{font-size:1.15rem}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.5rem 0 0;padding:0;list-style:none}
.actions a{display:inline-block;padding:.55rem 1.1rem;border:1px solid var(--accent);border-radius:999px;text-decoration:none}
.actions a:hover{text-decoration:underline}
.actions li:first-child a{background:var(--accent);color:var(--ground)}
.band{padding-block:clamp(1.5rem,4vw,3rem);border-top:1px solid var(--line)}
.counts{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:1.25rem;margin:0;padding-block:1.5rem;border-top:1px solid var(--line)}
.counts div{display:flex;flex-direction:column-reverse}
.counts dt{color:var(--quiet);font-size:.9rem}
.counts dd{margin:0;font-size:1.6rem;font-variant-numeric:tabular-nums;line-height:1.3}
.money{display:block;width:100%;max-width:50rem;height:auto;margin:0 0 1.5rem}
.money .box{fill:var(--raised);stroke:var(--line);stroke-width:1.5}
.money .hold{stroke:var(--accent)}
.money text{fill:var(--text);font:600 17px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;text-anchor:middle}
.money .small{font-weight:400;font-size:14px;fill:var(--quiet)}
.money .way{fill:none;stroke:var(--accent);stroke-width:2}
.money .back{stroke:var(--quiet);stroke-dasharray:5 5}
.money .tip{fill:var(--accent)}
.money .tip.grey{fill:var(--quiet)}
.steps{margin:0;padding:0;list-style:none;counter-reset:step;display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1.25rem 2.5rem}
.steps li{counter-increment:step;border-top:2px solid var(--accent);padding-top:.7rem}
.steps li::before{content:counter(step);color:var(--quiet);font-variant-numeric:tabular-nums;margin-right:.6rem}
.steps strong{font-weight:600}
.places{display:grid;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));gap:1rem;margin:0;padding:0;list-style:none}
.places a{display:block;height:100%;padding:1rem 1.1rem;background:var(--raised);border:1px solid var(--line);border-radius:10px;text-decoration:none;color:var(--text)}
.places a:hover{border-color:var(--accent)}
.places b{display:block;color:var(--accent);font-weight:600}
.places span{color:var(--quiet);font-size:.92rem}
.places code{display:block;margin-top:.5rem;color:var(--quiet)}
.sandbox{background:var(--raised);border:1px solid var(--line);border-left:4px solid var(--patch);border-radius:10px;padding:1.25rem clamp(1rem,3vw,1.75rem);margin-block:1rem 2.5rem}
.sandbox pre:last-child{margin-bottom:0}
.money.narrow{display:none;max-width:20rem}
@media (max-width:40rem){.money.wide{display:none}.money.narrow{display:block}}
`
