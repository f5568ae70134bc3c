import { OUTCOMES } from '@guildhall/protocol'
import { othersText } from '../console/others-text.ts'
import { time } from '../console/time.ts'
import { type Html, html } from '../html.ts'
import { plainWords, type TestingReport } from './views.ts'

/** The report: the verdict first, then what was found, then what each run met. */
export const reportView = (report: TestingReport): Html => html`<section class="report" aria-labelledby="verdict">
<h2 id="verdict">${report.outcome === null ? 'The runs do not agree' : plainWords(report.outcome)}</h2>
<p>${report.runs_accepted} of ${report.runs_planned} runs were finished. ${agreementSentence(report)}</p>
<dl class="facts">${OUTCOMES.map((outcome) => html`<dt>${plainWords(outcome)}</dt><dd>${report.outcomes[outcome]}</dd>`)}</dl>
</section>
<section class="report" aria-labelledby="findings"><h2 id="findings">Findings</h2>
${report.findings.length === 0 ? html`<p>Nobody reported anything.</p>` : html`<ol class="findings">${report.findings.map(findingView)}</ol>`}</section>
<section class="report" aria-labelledby="coverage"><h2 id="coverage">What was looked at</h2>${coverageTable(report)}</section>
${report.runs.map(runView)}`

const agreementSentence = ({ agreement, runs_accepted }: TestingReport): string => {
  const { yes, partly, no } = agreement.expected_result
  const share = agreement.unanimous ? 'All agree' : `${Math.round(agreement.share * 100)} % of the runs agree`
  return `${share}. The expected result came out in ${yes} of ${runs_accepted} runs, partly in ${partly}, not in ${no}.`
}

const findingView = ({ severity, title, details, runs }: TestingReport['findings'][number]): Html =>
  html`<li class="card"><h3><span class="severity ${severity}">${severity}</span> <span dir="auto">${title}</span></h3>
<p>Met in ${runs.length === 1 ? 'run' : 'runs'} ${runs.join(', ')}.</p>${details.map(othersText)}</li>`

const coverageTable = ({
  coverage,
  runs_accepted,
}: TestingReport): Html => html`<div class="scroll" role="group" aria-label="Steps by area" tabindex="0"><table>
<thead><tr><th scope="col">Area</th><th scope="col">Runs</th><th scope="col">Passed</th><th scope="col">Failed</th><th scope="col">Blocked</th><th scope="col">Skipped</th></tr></thead>
<tbody>${coverage.map(
  ({ label, runs, steps }) => html`<tr><th scope="row">${label}</th><td>${runs} of ${runs_accepted}</td>
<td>${steps.passed}</td><td>${steps.failed}</td><td>${steps.blocked}</td><td>${steps.skipped}</td></tr>`,
)}</tbody></table></div>`

type Run = TestingReport['runs'][number]

function runView(run: Run): Html {
  const id = `run-${run.run}`
  return html`<section class="report run" aria-labelledby="${id}"><h2 id="${id}">Run ${run.run}: ${plainWords(run.outcome)}</h2>
<p>${time(run.started_at)} to ${time(run.finished_at)}, by <span dir="auto">${run.runtime}</span>.</p>
<ol class="steps-taken">${run.steps.map(stepView)}</ol>
${run.output !== null && html`<h3>What came out</h3>${othersText(run.output)}`}
<h3>Against what was expected: ${plainWords(run.comparison.matches)}</h3>${othersText(run.comparison.explanation)}
${run.evidence.length > 0 && html`<h3>Evidence</h3><dl class="evidence">${run.evidence.map(evidenceView)}</dl>`}
</section>`
}

const stepView = ({ action, expected, observed, status, evidence }: Run['steps'][number]): Html =>
  html`<li><p><span class="state ${status}">${status}</span> <span dir="auto">${action}</span></p>
${expected !== null && html`<p class="expected" dir="auto">Expected: ${expected}</p>`}${othersText(observed)}
${evidence.length > 0 && html`<p class="when">Evidence: ${evidence.join(', ')}</p>`}</li>`

const evidenceView = ({ id, kind, description, content, url, sha256 }: Run['evidence'][number]): Html =>
  html`<dt>${id} <span class="when">${kind}</span></dt><dd><p dir="auto">${description}</p>${content !== null && othersText(content)}
${url !== null && html`<p><code>${url}</code></p>`}${sha256 !== null && html`<p><code>sha256 ${sha256}</code></p>`}</dd>`
