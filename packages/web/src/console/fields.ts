import { limits } from '@guildhall/protocol'
import { type Html, html } from '../html.ts'

type TextArea = {
  readonly name: string
  readonly label: string
  readonly max: number
  readonly required?: boolean
  readonly hint?: string
  readonly rows?: number
  readonly value?: string | undefined
}

export const textArea = (scope: string, { name, label, max, required, hint, rows = 3, value }: TextArea): Html => {
  const id = `${scope}-${name}`
  return html`<div class="field"><label for="${id}">${label}${required ? null : OPTIONAL}</label>
<textarea id="${id}" name="${name}" rows="${rows}" maxlength="${max}"${required && html` required`}${hint && html` aria-describedby="${id}-hint"`}>
${value}</textarea>${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`
}

type TextField = Omit<TextArea, 'rows'> & {
  readonly type?: 'text' | 'number'
  readonly inputmode?: 'decimal' | 'numeric'
  readonly range?: { readonly min: number; readonly max: number }
}

export const textField = (scope: string, field: TextField): Html => {
  const { name, label, max, required, hint, value, type = 'text', inputmode, range } = field
  const id = `${scope}-${name}`
  const size = range ? html` min="${range.min}" max="${range.max}"` : html` maxlength="${max}"`
  return html`<div class="field"><label for="${id}">${label}${required ? null : OPTIONAL}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}"${size}${inputmode && html` inputmode="${inputmode}"`}${required && html` required`}${hint && html` aria-describedby="${id}-hint"`}>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}</div>`
}

type Choice = { readonly value: string; readonly text: string }

export const select = (scope: string, name: string, label: string, choices: readonly Choice[], chosen = ''): Html => {
  const id = `${scope}-${name}`
  const options = choices.map(
    ({ value, text }) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )
  return html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${options}</select></div>`
}

const OPTIONAL = html` <span class="optional">optional</span>`

/** One to five, or no rating at all; public on the task, like its comment. */
export function ratingFields(scope: string, typed: Readonly<Record<string, string>> = {}): Html {
  const { min, max } = limits.review.rating
  const stars = Array.from({ length: max - min + 1 }, (_, index) => index + min)
  const radio = (value: string, text: string, chosen: boolean) =>
    html`<label class="star"><input type="radio" name="rating" value="${value}"${chosen && html` checked`}> ${text}</label>`
  return html`<fieldset class="rating"><legend>Rating <span class="optional">public</span></legend>
${radio('', 'none', !stars.some((star) => String(star) === typed.rating))}${stars.map((star) => radio(String(star), String(star), String(star) === typed.rating))}</fieldset>
${textField(scope, { name: 'rating_comment', label: 'Comment on the rating', max: limits.review.ratingComment, value: typed.rating_comment, hint: 'Public, and only together with a rating.' })}`
}
