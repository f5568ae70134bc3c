import { othersLink, othersText } from '../console/others-text.ts'
import { time } from '../console/time.ts'
import { formIdField, postForm } from '../forms.ts'
import { type Html, html } from '../html.ts'
import { reportView } from './report-view.ts'
import { type RequestView, type RunView, stateBadge, stateOf, type TestingReport, type TestingScope } from './views.ts'

export type TestRequestPage = {
  readonly request: RequestView
  readonly scope: TestingScope
  readonly runs: readonly RunView[]
  readonly report: TestingReport | null
  readonly csrfToken: string
  readonly formId: string
  readonly problem?: string | undefined
}

/** One test: where it stands, its runs, what was asked, and the report. */
export function testRequestPage(page: TestRequestPage): Html {
  const { request, scope, runs, report, csrfToken, formId, problem } = page
  const path = `/console/testing/${request.request_id}`
  return html`<div class="sheet testing">
<p class="crumbs"><a href="/console">Console</a> / <a href="/console/testing">Tests by agents</a></p>
<h1 dir="auto">${request.product_name}</h1>
<p>${stateBadge(request)} ${stateOf(request)}</p>
${problem && html`<p class="problem" role="alert">${problem}</p>`}
${request.note !== null && html`<div class="note bad"><p>Why it was declined:</p>${othersText(request.note)}</div>`}
${request.retest_of !== null && html`<p>A repetition of <a href="/console/testing/${request.retest_of}">an earlier test</a>.</p>`}
${request.status === 'unconfirmed' && html`<div class="note"><p>Somebody sent this in under your address. Confirm it only if you want it tested.</p></div>${postForm(`${path}/confirm`, csrfToken, html`<button type="submit">Confirm</button>`, 'Confirm')}`}
${report !== null && html`<p><a class="button" href="${path}/report">The report, for printing</a></p>${reportView(report)}${postForm(`${path}/retest`, csrfToken, html`${formIdField(formId)}<button class="quiet" type="submit">Test the same again</button>`, 'Test again')}`}
${request.status !== 'unconfirmed' && runsView(runs)}
${scopeView(scope)}
<dl class="facts"><dt>Asked for</dt><dd>${time(request.created_at)}</dd>${request.ended_at !== null && html`<dt>Ended</dt><dd>${time(request.ended_at)}</dd>`}
<dt>Scope hash</dt><dd><code>${request.scope_hash}</code></dd></dl>
</div>`
}

const RUNS: Readonly<Record<RunView['status'], string>> = {
  waiting: 'not posted yet',
  open: 'waits for an agent',
  claimed: 'an agent is at work',
  submitted: 'delivered, waits for a review',
  accepted: 'finished',
  lost: 'came to nothing',
}

const runsView = (runs: readonly RunView[]): Html => html`<section aria-labelledby="runs"><h2 id="runs">Runs</h2>
<ol class="cards">${runs.map(({ run, status, updated_at }) => html`<li class="card"><p>Run ${run}: ${RUNS[status]}, since ${time(updated_at)}.</p></li>`)}</ol></section>`

export const scopeView = (
  scope: TestingScope,
): Html => html`<section aria-labelledby="scope"><h2 id="scope">What was asked for</h2>
<dl class="facts"><dt>Product</dt><dd dir="auto">${scope.product_name} (${scope.product_category})</dd>
<dt>Where</dt><dd>${othersLink(scope.product_url)}</dd>
${scope.documentation_url !== null && html`<dt>Documentation</dt><dd>${othersLink(scope.documentation_url)}</dd>`}
<dt>To do</dt><dd>${othersText(scope.workflow_objective)}</dd>
<dt>Expected</dt><dd>${othersText(scope.expected_result)}</dd>
<dt>Environment</dt><dd>${othersText(scope.target_environment)}</dd>
<dt>Access</dt><dd>${scope.auth_mode === 'none' ? 'none needed' : 'a test account of the agent’s own'}</dd>
<dt>Allowed</dt><dd>${allowed(scope.allowed_operations)}</dd>
${scope.known_constraints !== null && html`<dt>To know</dt><dd>${othersText(scope.known_constraints)}</dd>`}
${scope.suspected_failure !== null && html`<dt>Suspected</dt><dd>${othersText(scope.suspected_failure)}</dd>`}</dl></section>`

/** Only the listed steps may write: without any, reading is all that is allowed. */
const allowed = ({ read_only, sandbox_write_steps: steps }: TestingScope['allowed_operations']): Html =>
  read_only || steps.length === 0
    ? html`reading only`
    : html`reading, and these steps:
<ul>${steps.map((step) => html`<li dir="auto">${step}</li>`)}</ul>`

/** The report and what was asked for, on paper. */
export const printedReportPage = ({
  request,
  scope,
  report,
}: Pick<TestRequestPage, 'request' | 'scope'> & {
  readonly report: TestingReport
}): Html => html`<div class="sheet testing printed">
<p class="crumbs"><a href="/console/testing/${request.request_id}">Back to the test</a></p>
<h1>Test report: <span dir="auto">${request.product_name}</span></h1>
${request.ended_at !== null && html`<p>${time(request.ended_at)}. Scope <code>${request.scope_hash}</code>.</p>`}
${reportView(report)}
${scopeView(scope)}
<p class="when">This report tells what the agents met; it certifies nothing.</p>
</div>`
