import { AGENT_AUDIT, TestingIntake } from '@guildhall/protocol'
import { newTestPage, printedReportPage, testingListPage, testRequestPage } from '@guildhall/web'
import type { SentForm } from '../../actions/burn-form.ts'
import { confirmRequest } from '../../actions/testing/confirm-request.ts'
import { readRequest } from '../../actions/testing/read-request.ts'
import { requestTest, retestProduct } from '../../actions/testing/request-test.ts'
import { canPayForTests } from '../../actions/testing/sign-house-deposit.ts'
import type { OwnerCaller } from '../../domain/owner/owner.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import {
  type OwnerPageContext,
  type Page,
  type PageAnswer,
  seeOther,
  sentByOwner,
  shownToOwner,
} from '../../http/page.ts'
import { requestFileView, testingRequestView } from '../../http/views/testing-request-view.ts'
import type { World } from '../../ports/world.ts'
import { consoleAnswer } from './console-answer.ts'
import { problemOf } from './problem-of.ts'
import { filledIn, readForm } from './read-form.ts'
import { sentForm } from './sent-form.ts'

const PATH = '/console/testing'
const SHOWN = 20

/** The pages on which an owner asks for tests and reads their reports. */
export function testingPages(world: World): readonly Page[] {
  return [
    shownToOwner(PATH, (context) => showList(world, context)),
    shownToOwner(`${PATH}/new`, (context) => showForm(world, context)),
    sentByOwner(PATH, (context) => sendForm(world, context)),
    shownToOwner(`${PATH}/{id}`, (context) => showRequest(world, context)),
    shownToOwner(`${PATH}/{id}/report`, (context) => showReport(world, context)),
    sentByOwner(`${PATH}/{id}/confirm`, (context) => doTo(world, context, confirmRequest)),
    sentByOwner(`${PATH}/{id}/retest`, (context) =>
      doTo(world, context, (world, caller, id) => retestProduct(world, caller, id, formIn('retest', context))),
    ),
  ]
}

async function showList(world: World, context: OwnerPageContext): Promise<PageAnswer> {
  const { id: ownerId, email } = context.session.owner
  const before = context.query.get('before')
  const found = await world.store.ownerTestingRequests({ ownerId, email, before, limit: SHOWN + 1 })
  const requests = found.slice(0, SHOWN)
  const last = found.length > SHOWN ? requests.at(-1) : undefined
  const main = testingListPage({
    requests: requests.map(testingRequestView),
    older: last ? `${PATH}?before=${last.id}` : null,
    available: canPayForTests(world),
    now: context.now,
  })
  return consoleAnswer(world, context, { title: 'Tests by agents', main })
}

function showForm(world: World, context: OwnerPageContext, failed?: Refusal): PageAnswer {
  const { csrfToken } = context.session
  const formId = world.random.uuid()
  const main = newTestPage({ csrfToken, formId, typed: context.form, problem: failed && wordsOf(failed) })
  return consoleAnswer(world, context, {
    title: 'Ask for a test',
    main,
    ...(failed ? { status: problemOf(failed).status } : {}),
  })
}

/** Names the first invalid field, if the refusal has one. */
function wordsOf({ message, fields }: Refusal): string {
  const [issue] = (fields.issues ?? []) as readonly { readonly path: string; readonly message: string }[]
  const field = issue?.path.split('.')[1]?.replaceAll('_', ' ')
  return issue && field ? `${field}: ${issue.message}` : message
}

/** The same form sent twice asks for one test. */
async function sendForm(world: World, context: OwnerPageContext): Promise<PageAnswer> {
  try {
    const intake = intakeIn(filledIn(context.form))
    const { id } = await requestTest(world, context.session, intake, formIn('new test', context))
    return seeOther(`${PATH}/${id}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'conflict' ? seeOther(PATH) : showForm(world, context, error)
  }
}

const formIn = (kind: string, context: OwnerPageContext): SentForm | null =>
  context.form.form_id === undefined ? null : sentForm(kind, context)

function intakeIn(form: Readonly<Record<string, string>>): TestingIntake {
  const { csrf: _, form_id: __, read_only, sandbox_write_steps = '', ...texts } = form
  const steps = sandbox_write_steps.split('\n').filter((line) => line.trim() !== '')
  return readForm(TestingIntake, {
    ...texts,
    allowed_operations: { read_only: read_only === 'yes', sandbox_write_steps: steps },
    authority_declaration: texts.authority_declaration === 'yes',
    worker_disclosure_acknowledged: texts.worker_disclosure_acknowledged === 'yes',
  })
}

async function showRequest(world: World, context: OwnerPageContext, failed?: Refusal): Promise<PageAnswer> {
  const file = requestFileView(await readRequest(world, context.session, context.params.id ?? ''))
  const { csrfToken } = context.session
  const main = testRequestPage({ ...file, csrfToken, formId: world.random.uuid(), problem: failed?.message })
  return consoleAnswer(world, context, {
    title: `Test of ${file.request.product_name}`,
    main,
    ...(failed ? { status: problemOf(failed).status } : {}),
  })
}

async function showReport(world: World, context: OwnerPageContext): Promise<PageAnswer> {
  const file = requestFileView(await readRequest(world, context.session, context.params.id ?? ''))
  const { request, scope, report } = file
  if (report === null) return refuse('not_found', { resource: 'report' }, 'There is no report yet.')
  const main = printedReportPage({ request, scope, report })
  return consoleAnswer(world, context, { title: `${AGENT_AUDIT.title}: ${request.product_name}`, main })
}

type Deed = (world: World, caller: OwnerCaller, id: string) => Promise<TestingRequest>

async function doTo(world: World, context: OwnerPageContext, deed: Deed): Promise<PageAnswer> {
  try {
    const { id } = await deed(world, context.session, context.params.id ?? '')
    return seeOther(`${PATH}/${id}`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'not_found') throw error
    return error.code === 'conflict' ? seeOther(PATH) : showRequest(world, context, error)
  }
}
