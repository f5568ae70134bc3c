export const baseCss = `*,*::before,*::after{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
h1,h2,h3{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif;font-weight:600;line-height:1.2;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:clamp(2rem,1.4rem + 3vw,3.2rem);margin:0 0 1rem;letter-spacing:-.01em}
h2{font-size:1.6rem;margin:0 0 1rem}
h3{font-size:1.15rem;margin:0 0 .5rem}
p{margin:0 0 1rem}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:.06em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
main:focus{outline:none}
code,pre{font-family:ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.875em}
code{overflow-wrap:anywhere}
pre{background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:1rem;margin:0 0 1rem;overflow-x:auto;line-height:1.55}
pre code{overflow-wrap:normal}
.skip{position:absolute;left:-999px;top:0;background:var(--raised);padding:.6rem 1rem;z-index:2}
.skip:focus{left:.5rem;top:.5rem}
header.site,footer.site,main{max-width:72rem;margin-inline:auto;padding-inline:clamp(1rem,4vw,2.5rem)}
header.site{display:flex;flex-wrap:wrap;gap:.25rem 2rem;align-items:baseline;justify-content:space-between;padding-block:1.1rem}
header.site ul{display:flex;flex-wrap:wrap;gap:.25rem clamp(.8rem,4vw,1.4rem);list-style:none;margin:0;padding:0}
header.site nav a{color:var(--quiet);text-decoration:none;display:inline-block;padding-block:.3rem}
header.site nav a:hover{color:var(--accent);text-decoration:underline}
.brand{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"Book Antiqua",Georgia,serif;font-size:1.35rem;font-weight:600;color:var(--text);text-decoration:none}
footer.site{padding-block:3rem 2rem;color:var(--quiet);font-size:.9rem}
.notice{max-width:36rem;padding-block:clamp(2rem,12vh,8rem);overflow-wrap:anywhere}
.notice .status{font-size:1rem;color:var(--quiet);margin:0 0 .5rem;letter-spacing:.08em}
`
