import { endpoints, limits, SECOND } from '@guildhall/protocol'
import { endOtherSessions, endSession } from '../../actions/owners/end-session.ts'
import { requestSignIn } from '../../actions/owners/request-sign-in.ts'
import { signOut } from '../../actions/owners/sign-out.ts'
import { isoTime } from '../../domain/instant.ts'
import type { Owner } from '../../domain/owner/owner.ts'
import type { World } from '../../ports/world.ts'
import { networkOf } from '../client-ip.ts'
import type { Handlers } from '../handler.ts'
import { standingHeader } from '../rate-limit.ts'
import { ENDED_COOKIE } from '../session-cookie.ts'

type OwnerHandlers = Pick<
  Handlers,
  'signIn' | 'getOwnerSession' | 'signOut' | 'listOwnerSessions' | 'endOtherOwnerSessions' | 'endOwnerSession'
>

const OK = { ok: true } as const
const MAILED = {
  ok: true,
  message: 'A link has been mailed to this address. Open it and confirm.',
  link_valid_seconds: limits.owner.linkMs / SECOND,
} as const

export function ownerHandlers(world: World): OwnerHandlers {
  return {
    async signIn({ body, held, context }) {
      const network = networkOf(context.ip)
      const standing = await requestSignIn(world, { email: body.email, next: body.next ?? null, network, held })
      return { headers: standingHeader(endpoints.signIn.limit, standing), body: MAILED }
    },

    async getOwnerSession({ caller }) {
      const { owner, session, csrfToken } = caller
      return { body: { owner: ownerView(owner), csrf_token: csrfToken, expires_at: isoTime(session.expiresAt) } }
    },

    async signOut({ caller }) {
      await signOut(world, caller)
      return { body: OK, cookies: [ENDED_COOKIE] }
    },

    async listOwnerSessions({ caller }) {
      const sessions = await world.store.ownerSessions(caller.owner.id, world.clock.now())
      return {
        body: {
          sessions: sessions.map(({ id, createdAt, expiresAt }) => ({
            session_id: id,
            created_at: isoTime(createdAt),
            expires_at: isoTime(expiresAt),
            current: id === caller.session.id,
          })),
        },
      }
    },

    async endOtherOwnerSessions({ caller }) {
      return { body: { ok: true, ended: await endOtherSessions(world, caller) } }
    },

    async endOwnerSession({ caller, params }) {
      await endSession(world, caller, params.id)
      return { body: OK, cookies: params.id === caller.session.id ? [ENDED_COOKIE] : [] }
    },
  }
}

const ownerView = ({ id, email, createdAt }: Owner) => ({ owner_id: id, email, created_at: isoTime(createdAt) })
