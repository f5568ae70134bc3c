import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import { basics } from './basics.ts'
import type { OpenApi, Schema } from './openapi.ts'
import { operationView } from './operation-view.ts'
import { pathText } from './prose.ts'
import { type Area, readAreas } from './read-document.ts'

/** The API reference, written from the OpenAPI document. */
export function apiReferencePage(openApiDocument: object): string {
  const document = openApiDocument as OpenApi
  const areas = readAreas(document)
  const resolve = (schema: Schema): Schema => document.components?.schemas?.[nameIn(schema.$ref)] ?? schema
  return layout({
    serviceName: document.info.title,
    title: `API · ${document.info.title}`,
    description: `Every call of the ${document.info.title} API with its parameters, answers and errors.`,
    path: '/docs',
    main: html`<div class="reference">
${contents(areas)}
<div>
<h1>API reference</h1>
${basics(document)}
${areas.map(
  ({ id, name, operations }) => html`<section class="area" id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name">${name}</h2>
${operations.map((operation) => operationView(operation, resolve))}
</section>`,
)}
</div>
</div>`,
  })
}

const nameIn = (ref = ''): string => ref.replace('#/components/schemas/', '')

const contents = (areas: readonly Area[]): Html => html`<nav class="contents" aria-label="Contents">
<ul>
<li><a href="#basics">Basics</a></li>
${areas.map(
  ({ id, name, operations }) =>
    html`<li><a href="#${id}">${name}</a><ul>${operations.map(
      (operation) =>
        html`<li><a href="#${operation.id}"><span class="method ${operation.method.toLowerCase()}">${operation.method}</span> <span>${pathText(operation.path)}</span></a></li>`,
    )}</ul></li>`,
)}
</ul>
</nav>`
