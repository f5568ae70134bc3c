import { type Html, html } from '../html.ts'

/** A sentence whose `backticks` mark code. */
export const prose = (text: string): readonly Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** A path that may break where a reader would break it. */
export const pathText = (path: string): readonly Html[] => path.split(/(?=\/)/).map((part) => html`<wbr>${part}`)
