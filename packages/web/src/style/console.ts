export const consoleCss = `.own{flex-basis:100%;display:flex;flex-wrap:wrap;gap:.25rem 2rem;align-items:center;justify-content:space-between;border-top:1px solid var(--line);padding-top:.5rem;margin-top:.35rem}
header.site [aria-current]{color:var(--text);font-weight:600;box-shadow:0 2px 0 var(--accent)}
.sheet{padding-block:1rem 2rem;overflow-wrap:break-word}
.sheet h1{font-size:clamp(1.7rem,1.3rem + 2vw,2.4rem);margin-bottom:.6rem;overflow-wrap:anywhere}
.sheet h2{font-size:1.3rem;margin-bottom:.8rem}
.sheet h3{font-size:1.05rem}
.sheet section{margin:0 0 2rem}
.crumbs{margin:0 0 .6rem;font-size:.92rem}
.heading{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:center;justify-content:space-between;margin:0 0 1.5rem}
.heading h1,.heading p{margin:0}
.state{font-size:1.05rem;max-width:52rem}
.badge{display:inline-block;padding:.1rem .7rem;border:1px solid currentColor;border-radius:999px;font-size:.85rem;font-weight:600;white-space:nowrap;color:var(--quiet)}
.badge.yours{color:var(--patch)}
.badge.busy{color:var(--get)}
.badge.calm{color:var(--accent)}
.badge.done{background:var(--accent);border-color:var(--accent);color:var(--ground)}
.deadline{font-weight:600}
.problem{background:var(--sunken);border-left:4px solid var(--warn);border-radius:6px;padding:.8rem 1rem;color:var(--warn)}
.problem:empty,.progress:empty{display:none}
.progress{background:var(--sunken);border-left:4px solid var(--get);border-radius:6px;padding:.8rem 1rem;margin:.8rem 0 0}
.columns{display:grid;gap:1.5rem 2.5rem}
.columns>*{min-width:0}
.others{white-space:pre-wrap;overflow-wrap:anywhere;margin:0 0 1rem}
.others-link{overflow-wrap:anywhere}
.card>.others:last-child{margin-bottom:0}
.asked h3{margin-top:1.25rem}
.asked .card h3:first-child{margin-top:0}
.content{max-height:28rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.sheet .hint{color:var(--quiet);font-size:.9rem;margin:0}
.when{color:var(--quiet);font-size:.92rem;margin-bottom:.6rem;overflow-wrap:anywhere}
.publish{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:center;margin:1rem 0 0}
.publish p{margin:0;color:var(--quiet)}
.earlier{margin-top:1rem}
.plain-list,.links{list-style:none;margin:0 0 1rem;padding:0}
.plain-list li,.links li{padding-block:.35rem;overflow-wrap:anywhere}
.card.action{margin:0 0 1rem;padding:1.1rem 1.25rem}
.card.main-action{border-color:var(--accent)}
.action form,form.action{display:grid;gap:.9rem}
.action p{margin:0}
.action h3{margin:0}
.action summary{width:auto}
.action summary h3{display:inline}
.action details[open] summary,details.action[open]>summary{margin-bottom:.9rem}
.rating{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;align-items:center}
.rating legend{margin-bottom:.3rem}
.star{display:inline-flex;gap:.35rem;align-items:center;min-height:2.2rem}
.side{font-size:.95rem}
.sheet .side{margin-bottom:1rem}
.side h2{font-size:1.1rem}
.side dl{margin:0;display:grid;gap:.6rem}
.side dt{color:var(--quiet);font-size:.88rem}
.side dd{margin:0;overflow-wrap:anywhere}
.timeline{list-style:none;margin:0;padding:0 0 0 1.1rem;border-left:2px solid var(--line)}
.timeline li{position:relative;padding:0 0 .8rem}
.timeline li::before{content:"";position:absolute;left:-1.5rem;top:.45rem;width:.65rem;height:.65rem;border-radius:50%;background:var(--accent)}
.timeline li:last-child{padding-bottom:0}
.timeline b{display:block;font-weight:600}
.timeline time{color:var(--quiet);font-size:.9rem}
.timeline .ahead::before{background:var(--ground);border:2px solid var(--quiet)}
.timeline .ahead b{font-weight:400}
.waiting,.tasks{list-style:none;margin:0;padding:0;display:grid;gap:.75rem}
.waiting .card{display:grid;gap:.2rem;border-left:4px solid var(--patch);text-decoration:none;color:var(--text)}
.waiting .card:hover b,.tasks a:hover b{text-decoration:underline}
.waiting b,.tasks b{font-weight:600;overflow-wrap:anywhere}
.waiting .deadline{color:var(--patch)}
.tasks{gap:0;border-top:1px solid var(--line)}
.tasks li{border-bottom:1px solid var(--line)}
.tasks a{display:grid;grid-template-columns:minmax(0,1fr) auto auto;gap:.3rem 1.25rem;align-items:center;padding:.8rem .2rem;text-decoration:none;color:var(--text)}
.tasks .what,.entries .what{display:grid;grid-template-columns:minmax(0,1fr)}
.tasks .when{margin:0}
.tasks .worth{font-variant-numeric:tabular-nums;text-align:right}
.empty p:last-child{color:var(--quiet)}
.new-task{max-width:46rem}
.new-task form{display:grid;gap:1.25rem}
.new-task form section{margin:0;display:grid;gap:1rem}
.new-task section h2{margin:0}
.field .optional,.rating .optional{font-weight:400;color:var(--quiet);font-size:.85rem;font-style:normal}
.new-task .row{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:1rem;align-items:start}
.sheet textarea{min-height:4.5rem}
.ways{display:grid;gap:.6rem}
.way{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:start;padding:.75rem .9rem;border:1px solid var(--line);border-radius:8px}
.way:has(:checked){border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.way input{margin-top:.15rem}
.pay-panel:empty{display:none}
.terms dl{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1.25rem;margin:0 0 1rem}
.terms dt{color:var(--quiet)}
.terms dd{margin:0;overflow-wrap:anywhere;font-weight:600}
.terms:not(:empty){border:1px solid var(--accent);border-radius:10px;background:var(--raised);padding:1rem 1.25rem;margin-top:.5rem}
.terms h3{margin:0 0 .6rem}
.terms h3:focus{outline:none}
.terms~.progress{margin-top:.8rem}
.choices{display:flex;flex-wrap:wrap;gap:.75rem}
[aria-busy=true] button[type=submit]{cursor:progress}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.way b{display:block}
@media (max-width:34rem){.tasks a{grid-template-columns:minmax(0,1fr) auto}.tasks .what{grid-column:1/-1}.tasks .worth{text-align:left}}
@media (min-width:62rem){.columns{grid-template-columns:minmax(0,1fr) 19rem}}
`
