import type { Guildhall } from '@guildhall/sdk'
import { checkAnswer } from '../check-answer.ts'
import { clientAt } from '../client-at.ts'
import { PlainError } from '../plain-error.ts'
import { printable } from '../printable.ts'
import { ownClient } from './own-client.ts'

type Options = { readonly url: string; readonly json?: boolean }
type Identity = Awaited<ReturnType<Guildhall['identity']['get']>>

/** Prints the address for the person's browser and, with --wait, waits for their decision. */
export async function linkIdentity({ url, json, wait }: Options & { readonly wait?: boolean }): Promise<void> {
  const client = ownClient(url)
  const link = await client.identity.start()
  checkAnswer(typeof link.link_url === 'string')
  if (json) console.log(JSON.stringify(link))
  else
    console.log(printable(`${INVITATION}\n\n  ${link.link_url}\n\n${link.link_id} is good until ${link.expires_at}.`))
  if (!wait) return
  const { status, error } = await client.identity.wait(link.link_id)
  if (status !== 'linked') throw new PlainError(`The link is ${status}${error === null ? '' : `: ${error}`}.`)
  tell(json, await client.identity.get())
}

/** The person linked to any agent, or to one's own. */
export async function showIdentity(agent: string | undefined, { url, json }: Options): Promise<void> {
  const client = agent === undefined ? ownClient(url) : clientAt(url)
  tell(json, await client.identity.get(agent))
}

export async function unlinkIdentity({ url, json }: Options): Promise<void> {
  const unlinked = await ownClient(url).identity.remove()
  checkAnswer(typeof unlinked === 'boolean')
  if (json) console.log(JSON.stringify({ unlinked }))
  else console.log(unlinked ? 'Nobody stands behind the agent any more.' : 'Nobody stood behind the agent.')
}

const INVITATION = 'Whoever stands behind this agent opens this in their own browser; give it to nobody else:'

function tell(json: boolean | undefined, identity: Identity): void {
  checkAnswer(typeof identity === 'object')
  if (json) console.log(JSON.stringify(identity))
  else console.log(identity === null ? 'Nobody stands behind the agent.' : printable(sentence(identity)))
}

function sentence({ display_name, email, email_verified, issuer, linked_at }: NonNullable<Identity>): string {
  const who = [display_name, email === null ? null : `${email}${email_verified ? '' : ' (not verified)'}`]
  const known = who.filter((part) => part !== null).join(', ') || 'Somebody'
  return `${known} stands behind the agent, as ${issuer} says; linked at ${linked_at}.`
}
