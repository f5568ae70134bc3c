import { type Html, html } from '../html.ts'

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

/** A time for people to read, with the exact one for machines. */
export const time = (iso: string): Html => html`<time datetime="${iso}">${format.format(new Date(iso))} UTC</time>`
