import { type Html, html } from '../html.ts'
import { describeType } from './describe-type.ts'
import type { Parameter } from './openapi.ts'
import { pathText, prose } from './prose.ts'
import type { Operation, Refusal } from './read-document.ts'
import { patternOf, type Resolve, schemaView } from './schema-view.ts'

const AUTH: Readonly<Record<Operation['auth'], Html>> = {
  none: html`<span class="tag">public</span>`,
  'signed or not': html`<a class="tag" href="#signing">signed or not</a>`,
  signed: html`<a class="tag" href="#signing">signed</a>`,
  'manage token': html`<a class="tag" href="#managing">manage token or wallet</a>`,
  'signed in': html`<a class="tag" href="#signed-in">signed in</a>`,
}

/** Headers that the basics explain once for all signed and paid calls. */
const EXPLAINED = new Set(['X-Timestamp', 'X-Nonce', 'PAYMENT-SIGNATURE'])

export function operationView(operation: Operation, resolve: Resolve): Html {
  const { id, method, path, summary, body, success } = operation
  const paid = operation.parameters.some(({ name }) => name === 'PAYMENT-SIGNATURE')
  const parameters = operation.parameters.filter(({ name }) => !EXPLAINED.has(name))
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name"><span class="method ${method.toLowerCase()}">${method}</span> <code>${pathText(path)}</code> <a class="anchor" href="#${id}" aria-label="Link to ${method} ${path}">#</a></h3>
<p>${prose(summary)}</p>
<p class="tags">${AUTH[operation.auth]}${paid && html`<a class="tag" href="#paying">may need payment</a>`}${
    operation.deprecated && html`<span class="tag warn">deprecated</span>`
  }</p>
${parameters.length > 0 && parametersTable(parameters)}
${
  body &&
  html`<details class="part" open><summary>Body${!body.required && ' (optional)'}</summary>${schemaView(body.schema, resolve)}</details>`
}
${
  success.schema &&
  html`<details class="part"><summary>Answer <span class="code">${success.status}</span></summary>${schemaView(success.schema, resolve)}</details>`
}
${refusalsTable(operation.refusals)}
</article>`
}

const parametersTable = (
  parameters: readonly Parameter[],
): Html => html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<caption>Parameters</caption>
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Value</th></tr></thead>
<tbody>${parameters.map(
  ({ name, in: place, required, schema, description = schema.description }) =>
    html`<tr><th scope="row"><code>${name}</code>${
      !required && html` <span class="optional">optional</span>`
    }</th><td>${place}</td><td>${describeType(schema)}${patternOf(schema)}${description && html` <span class="about">${prose(description)}</span>`}</td></tr>`,
)}</tbody>
</table></div>`

const refusalsTable = (
  refusals: readonly Refusal[],
): Html => html`<details class="part"><summary>Errors <span class="code">${refusals.length}</span></summary>
<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${refusals.map(
  ({ status, code, meaning }) =>
    html`<tr><td>${status}</td><th scope="row"><code>${code}</code></th><td>${prose(meaning)}</td></tr>`,
)}</tbody>
</table></div></details>`
