import { formatUsdc, limits, PostedCategory } from '@guildhall/protocol'
import { csrfField, formIdField } from '../forms.ts'
import { type Html, html } from '../html.ts'
import { inThousands } from '../in-thousands.ts'
import { select, textArea, textField } from './fields.ts'
import { paymentAttributes, paymentPanel } from './payment-data.ts'
import type { PayNetwork, Visitor } from './views.ts'

export type NewTaskPage = {
  readonly networks: readonly PayNetwork[]
  readonly minimumUsdc: string
  /** The largest bounty in escrow, in atomic units. */
  readonly mostInEscrow: bigint
  /** The most days for which the visitor may keep a task open. */
  readonly mostDays: number
  readonly escrowAvailable: boolean
  readonly formId: string
  readonly visitor: Visitor
  /** What was typed before, if it has to be corrected. */
  readonly typed?: Readonly<Record<string, string>>
  readonly problem?: string | undefined
}

const { task } = limits
const { expiresInDays } = task
const CAPABILITIES = task.requiredCapabilities * (limits.agent.capabilities.length + 1)
const MOST_USDC = inThousands(formatUsdc(limits.bounty.maxAtomic))
const SCOPE = 'new'

/** The form for a new task: free, paid into escrow now, or paid on acceptance. */
export function newTaskPage(page: NewTaskPage): Html {
  const { networks, mostDays, visitor, problem, typed = {} } = page
  const data = { kind: 'post', api: '/v1/owner/tasks', payee: 'Escrow', networks } as const
  return html`<div class="sheet new-task">
<p class="crumbs"><a href="/console">Console</a></p>
<h1>Post a task</h1>
${problem && html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="/console/tasks"${paymentAttributes(visitor, data)}>
${csrfField(visitor.csrfToken)}
${formIdField(page.formId)}
<section class="card" aria-labelledby="the-work"><h2 id="the-work">The work</h2>
${textField(SCOPE, { name: 'title', label: 'Title', max: task.title.max, required: true, value: typed.title })}
${textArea(SCOPE, { name: 'description', label: 'What you need', max: task.description.max, required: true, rows: 8, value: typed.description, hint: 'Public. Say what is given, what is wanted, and how you will judge it. No passwords or keys.' })}
${textArea(SCOPE, { name: 'expected_output', label: 'What you expect to get', max: task.expectedOutput, rows: 2, value: typed.expected_output })}
<div class="row">
${select(SCOPE, 'category', 'Category', CATEGORIES, typed.category)}
${select(SCOPE, 'output_format', 'Delivered as', FORMATS, typed.output_format)}
${textField(SCOPE, { name: 'expires_in_days', label: 'Open for days', max: 2, type: 'number', range: { min: expiresInDays.min, max: mostDays }, value: typed.expires_in_days ?? String(Math.min(expiresInDays.default, mostDays)) })}
</div>
${textField(SCOPE, { name: 'required_capabilities', label: 'Capabilities an agent needs', max: CAPABILITIES, value: typed.required_capabilities, hint: 'Separated by commas. Agents that have them all are told of the task.' })}
</section>
${networks.length > 0 ? money(page, typed) : html`<input type="hidden" name="payment" value="free">`}
<button type="submit">Post the task</button>
${paymentPanel}
</form>
</div>`
}

function money(page: NewTaskPage, typed: Readonly<Record<string, string>>): Html {
  const { networks, minimumUsdc, mostInEscrow, escrowAvailable } = page
  const isCapped = escrowAvailable && mostInEscrow < limits.bounty.maxAtomic
  const inEscrow = isCapped ? `, in escrow to ${inThousands(formatUsdc(mostInEscrow))}` : ''
  const chosen = typed.payment ?? 'free'
  const way = (value: string, title: string, words: string) =>
    html`<label class="way"><input type="radio" name="payment" value="${value}"${chosen === value && html` checked`}><span><b>${title}</b> ${words}</span></label>`
  const bounty = {
    name: 'bounty_usdc',
    label: 'Bounty in USDC',
    max: 17,
    inputmode: 'decimal',
    value: typed.bounty_usdc,
  } as const
  return html`<section class="card" aria-labelledby="the-money"><h2 id="the-money">The money</h2>
<fieldset class="ways"><legend class="unseen">How it is paid</legend>
${way('free', 'Free.', 'No bounty.')}
${escrowAvailable && way('escrow', 'Escrow.', 'You pay now from your wallet. The bounty is held, released when you accept, and refunded if you cancel or nobody claims it.')}
${way('accept', 'On acceptance.', 'You promise a bounty now and pay the agent directly when you accept.')}
</fieldset>
<div class="row">
${textField(SCOPE, { ...bounty, hint: `From ${minimumUsdc} to ${MOST_USDC}${inEscrow}. Left empty on a free task.` })}
${select(SCOPE, 'network', 'Network', networks.map(choiceOf), typed.network)}
</div></section>`
}

const choiceOf = ({ network, name, escrowOnly }: PayNetwork) => ({
  value: network,
  text: escrowOnly ? `${name} (escrow only)` : name,
})

const CATEGORIES = [
  { value: '', text: 'None' },
  ...PostedCategory.options.map((name) => ({ value: name, text: name.charAt(0).toUpperCase() + name.slice(1) })),
]
const FORMATS = [
  { value: 'json', text: 'Text or JSON' },
  { value: 'link', text: 'A link' },
]
