import { formOf, type Jar, openJar, type Shown } from './browser-jar.ts'
import type { Player } from './cast.ts'
import { type Person, signIn } from './sign-in.ts'
import type { Stage } from './stage.ts'

export const CONFIRM = '/v1/agentid/callback/confirm'

/** A link on its way: begun by the agent, and shown to a person who has signed in. */
export type Asked = {
  readonly linkId: string
  readonly linkUrl: string
  readonly state: string
  readonly jar: Jar
  readonly page: Shown
  /** What the page would send for a yes. */
  readonly yes: Record<string, string>
}

/** Begins a link and signs a person in, who is then asked whether they stand behind the agent. */
export async function askPerson(agent: Player, person: Person, jar = openJar()): Promise<Asked> {
  const { link_id: linkId, link_url: linkUrl } = await agent.client.identity.start()
  const page = await signIn(jar, linkUrl, person)
  const state = new URL(linkUrl).searchParams.get('state') ?? ''
  return { linkId, linkUrl, state, jar, page, yes: formOf(page, 'name="code"') }
}

/** What the page sends for a no: the button says it. */
export const noOf = (page: Shown): Record<string, string> => ({ ...formOf(page, 'name="refuse"'), refuse: '1' })

export const confirm = (
  stage: Stage,
  { jar, yes }: Pick<Asked, 'jar' | 'yes'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Shown> => jar.open(`${stage.node().url}${CONFIRM}`, { form: yes, headers })

/** The agent is linked to the person, the whole way. */
export async function linkTo(stage: Stage, agent: Player, person: Person): Promise<Shown> {
  return confirm(stage, await askPerson(agent, person))
}
