import { type Html, html } from '../html.ts'

/** A moment as people read it, with the exact one for machines. */
export const time = (iso: string): Html =>
  html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
