/** Paper cannot be scrolled: whatever would be cut off goes on in the next line, or on the next page. */
export const printCss = `@media print{header.site,footer.site,.skip,.crumbs{display:none}
body{background:#fff;color:#000}
pre,.content{max-height:none;overflow:visible;white-space:pre-wrap}
pre code{overflow-wrap:anywhere}
.testing .run{break-before:page}
.card,li{break-inside:avoid}}
`
