import { checkAnswer } from '../check-answer.ts'
import { printable } from '../printable.ts'
import { ownClient } from './own-client.ts'

type Options = { readonly url: string; readonly json?: boolean }

/** Links the agent to the owner who was shown the code in the console. */
export async function linkOwner(code: string, { url, json }: Options): Promise<void> {
  const linked = await ownClient(url).agents.linkOwner(code)
  checkAnswer(linked.ok === true)
  if (json) console.log(JSON.stringify(linked))
  else console.log(printable(`Linked to ${linked.owner_email ?? 'the owner of this code'}.`))
}

export async function unlinkOwner({ url, json }: Options): Promise<void> {
  const { unlinked } = await ownClient(url).agents.unlinkOwner()
  checkAnswer(typeof unlinked === 'boolean')
  if (json) console.log(JSON.stringify({ unlinked }))
  else console.log(unlinked ? 'Unlinked.' : 'The agent had no owner.')
}
