/** A gabled hall, as the icon of the service. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1f5f4a"/>
<path d="M6 14 16 7l10 7v2H6zM8 18h3v6H8zm6.5 0h3v6h-3zm6.5 0h3v6h-3zM6 25h20v2H6z" fill="#fbfaf7"/>
</svg>
`
