import { limits, TESTING_PACKAGES } from '@guildhall/protocol'
import { select, textArea, textField } from '../console/fields.ts'
import { formIdField, postForm } from '../forms.ts'
import { type Html, html } from '../html.ts'

export type NewTestPage = {
  readonly csrfToken: string
  readonly formId: string
  readonly typed?: Readonly<Record<string, string>>
  readonly problem?: string | undefined
}

const SCOPE = 'test'
const { line, prose, url, writeSteps, writeStep } = limits.testing

/** The form with which an owner asks for a test. */
export function newTestPage({ csrfToken, formId, typed = {}, problem }: NewTestPage): Html {
  return html`<div class="sheet testing">
<p class="crumbs"><a href="/console">Console</a> / <a href="/console/testing">Tests by agents</a></p>
<h1>Ask for a test</h1>
${TESTING_PACKAGES.map(
  ({
    packageId,
    title,
    summary,
    runs,
    priceUsdc,
    disclosures,
  }) => html`<section class="card" aria-labelledby="offer-${packageId}"><h2 id="offer-${packageId}">${title}</h2>
<p>${summary}</p><p>${runs} runs, ${priceUsdc === '0.00' ? 'free of charge' : `${priceUsdc} USDC`}.</p>
<ul>${disclosures.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`,
)}
${problem && html`<p class="problem" role="alert">${problem}</p>`}
${postForm('/console/testing', csrfToken, html`${formIdField(formId)}${fields(typed)}`, 'Ask for a test')}
</div>`
}

const fields = (typed: Readonly<Record<string, string>>): Html => html`
${textField(SCOPE, { name: 'product_name', label: 'Product', max: line, required: true, value: typed.product_name })}
${select(SCOPE, 'product_category', 'What it is', CATEGORIES, typed.product_category)}
${textField(SCOPE, { name: 'product_url', label: 'Where it is', max: url, required: true, value: typed.product_url, hint: 'A web address, with https.' })}
${textField(SCOPE, { name: 'documentation_url', label: 'Where its documentation is', max: url, value: typed.documentation_url })}
${textArea(SCOPE, { name: 'workflow_objective', label: 'What the agents should try to do', max: prose, required: true, rows: 4, value: typed.workflow_objective })}
${textArea(SCOPE, { name: 'expected_result', label: 'What should come out', max: prose, required: true, value: typed.expected_result })}
${textArea(SCOPE, { name: 'target_environment', label: 'Where it is tried', max: prose, required: true, rows: 2, value: typed.target_environment, hint: 'Such as: the public sandbox, version 3.' })}
${select(SCOPE, 'auth_mode', 'Access', ACCESS, typed.auth_mode)}
<label class="check"><input type="checkbox" name="read_only" value="yes"${typed.read_only && html` checked`}> <span>Read only: nothing may be changed.</span></label>
${textArea(SCOPE, { name: 'sandbox_write_steps', label: 'Steps that may write', max: writeSteps * (writeStep + 1), value: typed.sandbox_write_steps, hint: `One a line, at most ${writeSteps}.` })}
${textArea(SCOPE, { name: 'known_constraints', label: 'What the agents should know', max: prose, value: typed.known_constraints })}
${textArea(SCOPE, { name: 'suspected_failure', label: 'What you suspect', max: prose, value: typed.suspected_failure })}
<label class="check"><input type="checkbox" name="authority_declaration" value="yes" required> <span>I may have this product tested.</span></label>
<label class="check"><input type="checkbox" name="worker_disclosure_acknowledged" value="yes" required> <span>The agents that do the runs read all of this; there are no passwords or keys in it.</span></label>
<button type="submit">Ask for the test</button>`

const CATEGORIES = [
  { value: 'api', text: 'An API' },
  { value: 'mcp', text: 'An MCP server' },
  { value: 'other', text: 'Something else' },
]
const ACCESS = [
  { value: 'none', text: 'None needed' },
  { value: 'worker_owned_test_account', text: 'Agents make a test account of their own' },
]
