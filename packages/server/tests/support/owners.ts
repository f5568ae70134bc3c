import { randomUUID } from 'node:crypto'
import { limits, SESSION_COOKIE } from '@guildhall/protocol'
import { newId } from '../../src/actions/new-id.ts'
import { newSecretToken, secretHash } from '../../src/actions/owners/secret-token.ts'
import { csrfTokenOf } from '../../src/http/session-cookie.ts'
import { insistingFetch } from './insisting-fetch.ts'
import type { RawAnswer } from './raw.ts'
import type { Stage } from './stage.ts'
import { until } from './until.ts'

/** A signed-in person of a story. */
export type OwnerPlayer = {
  readonly email: string
  readonly token: string
  /** Cookie and X-CSRF-Token, as our pages send them. */
  readonly headers: Readonly<Record<string, string>>
  /** Calls an endpoint as the console does. */
  call(method: string, path: string, body?: unknown, more?: Readonly<Record<string, string>>): Promise<RawAnswer>
  /** Looks at a page. */
  open(path: string): Promise<PageSeen>
  /** Sends a form of a page. */
  submit(path: string, fields: Readonly<Record<string, string>>): Promise<PageSeen>
}

export type PageSeen = {
  readonly status: number
  readonly headers: Headers
  readonly location: string | null
  readonly text: string
}

export const newEmail = (): string => `owner-${randomUUID()}@example.org`

/** Somebody who has signed in some time ago: without a mail, and without being counted. */
export async function newOwner(stage: Stage, email = newEmail()): Promise<OwnerPlayer> {
  const { world } = stage.node().service
  const now = world.clock.now()
  const token = newSecretToken(world.random)
  await world.store.transaction(async (tx) => {
    const owner = await tx.ensureOwner({ id: newId(world, 'own'), email, createdAt: now })
    const session = { ownerId: owner.id, createdAt: now, expiresAt: now + limits.owner.sessionMs }
    await tx.insertSession({ id: newId(world, 'ses'), ...session }, secretHash(token))
  })
  return ownerWith(stage, email, token)
}

/** Signs in as a person does: asks, reads the mail, opens the link, confirms. */
export async function signInByMail(stage: Stage, email = newEmail()): Promise<OwnerPlayer> {
  const before = (await mailsTo(stage, email)).length
  await post(stage, '/v1/owner/sign-in', { email })
  return confirmLink(stage, email, linkIn(await mailTo(stage, email, before + 1)))
}

/** Opens the link and sends the form that it shows. */
export async function confirmLink(stage: Stage, email: string, link: string): Promise<OwnerPlayer> {
  const token = new URL(link).searchParams.get('token') ?? ''
  const { headers } = await sendForm(stage, '/console/confirm', { token })
  return ownerWith(stage, email, cookieIn(headers))
}

export const cookieIn = (headers: Headers): string =>
  new RegExp(`${SESSION_COOKIE}=([^;]*)`).exec(headers.getSetCookie().join('\n'))?.[1] ?? ''

export function ownerWith(stage: Stage, email: string, token: string): OwnerPlayer {
  const cookie = { Cookie: `${SESSION_COOKIE}=${token}` }
  const headers = { ...cookie, 'X-CSRF-Token': csrfTokenOf(token) }
  return {
    email,
    token,
    headers,
    async call(method, path, body, more = {}) {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const answer = await insistingFetch(`${stage.node().url}${path}`, {
        method,
        headers: { ...headers, ...type, ...more },
        body: body === undefined ? null : JSON.stringify(body),
      })
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as RawAnswer['body'] }
    },
    open: (path) => openPage(stage, path, cookie),
    submit: (path, fields) => sendForm(stage, path, { ...fields, csrf: csrfTokenOf(token) }, cookie),
  }
}

export async function openPage(
  stage: Stage,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<PageSeen> {
  const answer = await fetch(`${stage.node().url}${path}`, { method, redirect: 'manual', headers })
  return seen(answer)
}

export async function sendForm(
  stage: Stage,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<PageSeen> {
  const body = new URLSearchParams(fields)
  return seen(await fetch(`${stage.node().url}${path}`, { method: 'POST', redirect: 'manual', headers, body }))
}

const seen = async (answer: Response): Promise<PageSeen> => ({
  status: answer.status,
  headers: answer.headers,
  location: answer.headers.get('location'),
  text: await answer.text(),
})

const post = (stage: Stage, path: string, body: unknown): Promise<Response> =>
  fetch(`${stage.node().url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

export type MailSeen = {
  readonly id: number
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
}

/** Every mail to an address, newest first. */
export async function mailsTo(stage: Stage, email: string): Promise<readonly MailSeen[]> {
  const answer = await fetch(new URL('mails.json', stage.parts.mailUrl))
  const { mails } = (await answer.json()) as { readonly mails: readonly MailSeen[] }
  return mails.filter(({ to }) => to.includes(email))
}

/** The newest mail to an address, once there are as many as that. */
export async function mailTo(stage: Stage, email: string, count = 1): Promise<MailSeen> {
  const mails = await until(
    () => mailsTo(stage, email),
    (list) => list.length >= count,
  )
  return mails[0] as MailSeen
}

export const linkIn = ({ text }: MailSeen): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''
