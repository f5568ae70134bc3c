export const referenceCss = `.reference{display:grid;gap:1.5rem 3rem;padding-block:1rem}
.reference>*{min-width:0}
.reference h1{font-size:clamp(1.9rem,1.4rem + 2vw,2.4rem)}
.contents{font-size:.92rem}
.contents ul{list-style:none;margin:0;padding:0}
.contents>ul{display:flex;flex-wrap:wrap;gap:.5rem}
.contents>ul>li>a{display:inline-block;padding:.35rem .8rem;border:1px solid var(--line);border-radius:999px;text-decoration:none}
.contents ul ul{display:none}
.area{padding-block:1.5rem;border-top:1px solid var(--line)}
.area>h2{margin-bottom:1rem}
.operation{background:var(--raised);border:1px solid var(--line);border-radius:10px;padding:1.1rem clamp(.9rem,2.5vw,1.5rem);margin:0 0 1rem}
.operation:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.operation h3{font-family:inherit;font-size:1rem;line-height:1.5}
.operation p{margin-bottom:.75rem;max-width:44rem}
.method{font:600 .8rem ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;color:var(--post)}
.method.get{color:var(--get)}
.method.patch,.method.put{color:var(--patch)}
.method.delete{color:var(--warn)}
.anchor{color:var(--quiet);padding-inline:.3rem}
.operation .tags{display:flex;flex-wrap:wrap;gap:.4rem}
.tag{font-size:.82rem;line-height:1.5;padding:.05rem .6rem;border:1px solid var(--line);border-radius:999px;color:var(--quiet);text-decoration:none}
a.tag:hover{border-color:var(--accent);color:var(--accent)}
.tag.warn{color:var(--warn);border-color:currentColor}
.scroll{overflow-x:auto}
.type{overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%;font-size:.92rem;margin:0 0 .75rem}
caption{text-align:left;font-weight:600;padding-block:.25rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .9rem .4rem 0;border-top:1px solid var(--line)}
thead th{border-top:0;color:var(--quiet);font-weight:400;font-size:.85rem}
tbody th{font-weight:400;white-space:nowrap}
tbody th code{overflow-wrap:normal}
details.part{border-top:1px solid var(--line);padding-block:.45rem}
summary{cursor:pointer;width:fit-content}
details.part>summary{font-weight:600;font-size:.95rem}
summary .code{color:var(--quiet);font-weight:400}
summary:hover{color:var(--accent)}
.fields{list-style:none;margin:.35rem 0 .5rem;padding:0;font-size:.92rem}
.fields li{padding:.35rem 0;border-top:1px solid var(--line)}
.fields li:first-child{border-top:0}
.fields .fields{margin-left:.4rem;padding-left:1rem;border-left:2px solid var(--line)}
.fields details>summary{color:var(--accent);font-size:.88rem}
.name{font-weight:600}
.optional,.about,.pattern{color:var(--quiet)}
.optional{font-size:.85em;font-style:italic}
.about::before{content:"· "}
@media (max-width:40rem){tbody th{white-space:normal}table .optional{display:block}}
@media (min-width:62rem){
.reference{grid-template-columns:17rem minmax(0,1fr)}
.contents{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;scrollbar-width:thin;scrollbar-color:var(--line) transparent;padding-block:1rem 2rem}
.contents>ul{display:block}
.contents>ul>li{margin-bottom:1rem}
.contents>ul>li>a{padding:0;border:0;font-weight:600;color:var(--text)}
.contents ul ul{display:block;margin-top:.25rem}
.contents ul ul a{display:grid;grid-template-columns:3.1rem 1fr;align-items:baseline;padding:.14rem 0;color:var(--quiet);text-decoration:none;overflow-wrap:anywhere;font-size:.86rem}
.contents ul ul a:hover{color:var(--accent)}
.contents .method{font-size:.7rem}
}
`
