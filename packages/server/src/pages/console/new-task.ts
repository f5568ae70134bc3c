import { formatUsdc } from '@guildhall/protocol'
import { newTaskPage, type PayNetwork } from '@guildhall/web'
import { ownerAsPoster, posterOnce } from '../../actions/poster.ts'
import { mostInEscrow } from '../../actions/tasks/check-bounty.ts'
import { expiryCap } from '../../actions/tasks/expiry-window.ts'
import { postTask } from '../../actions/tasks/post-task.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type OwnerPageContext, type PageAnswer, seeOther } from '../../http/page.ts'
import type { World } from '../../ports/world.ts'
import { consoleAnswer, visitorOf } from './console-answer.ts'
import { problemOf } from './problem-of.ts'
import { filledIn, taskForm } from './read-form.ts'
import { sentForm } from './sent-form.ts'
import { WALLET_SCRIPT } from './wallet-scripts.ts'

type Networks = readonly PayNetwork[]

export function showNewTask(world: World, networks: Networks, context: OwnerPageContext, failed?: Refusal): PageAnswer {
  const main = newTaskPage({
    networks,
    minimumUsdc: formatUsdc(world.rules.minBountyAtomic),
    mostInEscrow: mostInEscrow(world.rules),
    mostDays: expiryCap(world, null),
    escrowAvailable: world.escrow !== null,
    formId: world.random.uuid(),
    visitor: visitorOf(context),
    typed: context.form,
    problem: failed === undefined ? undefined : wordsOf(failed),
  })
  const status = failed === undefined ? 200 : problemOf(failed).status
  return consoleAnswer(world, context, { title: 'Post a task', main, status, scripts: [WALLET_SCRIPT] })
}

/** The API's messages say what to send; a person is told what to choose. Without JavaScript no wallet can sign. */
function wordsOf(failed: Refusal): string {
  const { minimum_usdc, max_days } = failed.fields
  switch (failed.code) {
    case 'payment_required':
      return 'A bounty in escrow is paid from a wallet in your browser, which needs JavaScript on this page. Nothing was posted.'
    case 'escrow_required':
      return 'On this network a bounty is always held in escrow. Choose “Escrow”, or another network.'
    case 'bounty_below_minimum':
      return `The bounty is below the minimum of ${minimum_usdc} USDC.`
    case 'expiry_window_not_allowed':
      return `You can keep a task open for at most ${max_days} days.`
    default:
      return problemOf(failed).message
  }
}

/** Posts a task that needs no payment now. The same form sent twice posts once. */
export async function postNewTask(world: World, networks: Networks, context: OwnerPageContext): Promise<PageAnswer> {
  try {
    const poster = posterOnce(ownerAsPoster(context.session), sentForm('new task', context))
    const { csrf: _, form_id: __, ...fields } = filledIn(context.form)
    const { task } = await postTask(world, poster, taskForm(fields), null)
    return seeOther(`/console/tasks/${task.id}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.code === 'conflict' ? seeOther('/console') : showNewTask(world, networks, context, error)
  }
}
