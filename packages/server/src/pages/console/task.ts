import { endpoints } from '@guildhall/protocol'
import { type PayNetwork, taskPage } from '@guildhall/web'
import { ownerAsPoster, type Poster } from '../../actions/poster.ts'
import { acceptTask } from '../../actions/tasks/accept-task.ts'
import { cancelTask } from '../../actions/tasks/cancel-task.ts'
import { fundTask } from '../../actions/tasks/fund-task.ts'
import { ownerTask } from '../../actions/tasks/owner-task.ts'
import { publishSubmission } from '../../actions/tasks/publish-submission.ts'
import { disputeTask, requestRevision } from '../../actions/tasks/review-task.ts'
import { Refusal } from '../../domain/refusal.ts'
import { ownerTaskView } from '../../http/handlers/owner-tasks.ts'
import { type OwnerPageContext, type PageAnswer, seeOther } from '../../http/page.ts'
import type { World } from '../../ports/world.ts'
import { consoleAnswer, visitorOf } from './console-answer.ts'
import { problemOf } from './problem-of.ts'
import { filledIn, readForm, withRating } from './read-form.ts'
import { WALLET_SCRIPT } from './wallet-scripts.ts'

/** Where money moves, for the page. */
type Money = { readonly networks: readonly PayNetwork[]; readonly sandbox: boolean }

/** Why a form was refused, and which: it is shown again with what was typed. */
type Failed = { readonly refusal: Refusal; readonly form: string }

export async function showTask(
  world: World,
  money: Money,
  context: OwnerPageContext,
  failed?: Failed,
): Promise<PageAnswer> {
  const view = await ownerTaskView(world, context.session.owner.id, context.params.id ?? '')
  const problem = failed && wordsOf(failed.refusal)
  const typed = failed && { form: failed.form, fields: context.form }
  const main = taskPage({ view, ...money, visitor: visitorOf(context), problem, typed })
  const status = failed === undefined ? 200 : problemOf(failed.refusal).status
  return consoleAnswer(world, context, { title: view.task.title, main, status, scripts: [WALLET_SCRIPT] })
}

const wordsOf = (failed: Refusal): string =>
  failed.code === 'payment_required'
    ? 'This is paid from a wallet in your browser, which needs JavaScript on this page. Nothing was changed.'
    : problemOf(failed).message

type Form = Readonly<Record<string, string>>
type Deed = (world: World, poster: Poster, taskId: string, form: Form) => Promise<unknown>

const { acceptOwnerTask, reviseOwnerTask, disputeOwnerTask, cancelOwnerTask } = endpoints

/** What the forms of a task do, by the last part of their path. Fields are parsed with the API's schemas. */
export const DEEDS: Readonly<Record<string, Deed>> = {
  accept: (world, poster, taskId, form) => {
    const { note, rating, rating_comment } = readForm(acceptOwnerTask.body, withRating(form))
    const acceptance = { note: note ?? null, stars: rating ?? null, comment: rating_comment ?? null }
    return acceptTask(world, poster, taskId, acceptance, null)
  },
  revision: (world, poster, taskId, form) =>
    requestRevision(world, poster, taskId, readForm(reviseOwnerTask.body, form).note),
  dispute: (world, poster, taskId, form) => {
    const { reason, rating, rating_comment } = readForm(disputeOwnerTask.body, withRating(form))
    return disputeTask(world, poster, taskId, { reason, stars: rating ?? null, comment: rating_comment ?? null })
  },
  cancel: (world, poster, taskId, form) =>
    cancelTask(world, poster, taskId, readForm(cancelOwnerTask.body, form).reason ?? null),
  fund: (world, poster, taskId) => fundTask(world, poster, taskId, null),
  publish: (world, poster, taskId) => publishSubmission(world, poster, taskId, true),
  unpublish: (world, poster, taskId) => publishSubmission(world, poster, taskId, false),
}

/** Redirects to the task afterwards; a refusal is shown on the task's page. */
export async function doToTask(
  world: World,
  money: Money,
  context: OwnerPageContext,
  { name, deed }: { readonly name: string; readonly deed: Deed },
): Promise<PageAnswer> {
  const { session, form, params } = context
  const { id } = await ownerTask(world, session.owner.id, params.id ?? '')
  try {
    await deed(world, ownerAsPoster(session), id, filledIn(form))
    return seeOther(`/console/tasks/${id}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return showTask(world, money, context, { refusal: error, form: name })
  }
}
