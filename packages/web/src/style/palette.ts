/** The colours by what they are for; every text colour reads well on every ground (WCAG AA, tested). */
export const light = {
  ground: '#fbfaf7',
  raised: '#ffffff',
  sunken: '#f1efe9',
  line: '#d9d5ca',
  text: '#1d1c19',
  quiet: '#5a574f',
  accent: '#1b5e47',
  get: '#1d4f86',
  post: '#1b5e47',
  patch: '#7a4a06',
  warn: '#8a2f1c',
} as const

export type Palette = { readonly [Name in keyof typeof light]: string }

export const dark: Palette = {
  ground: '#15171a',
  raised: '#1d2024',
  sunken: '#101214',
  line: '#34393f',
  text: '#e9e6df',
  quiet: '#aaa79f',
  accent: '#83cbae',
  get: '#8fbcf0',
  post: '#83cbae',
  patch: '#e2b469',
  warn: '#f0a08c',
}

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}:${colour};`)
    .join('')

export const paletteCss = `:root{color-scheme:light dark;${variables(light)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(dark)}}}
`
