import { beginRegistration } from '../../actions/agents/begin-registration.ts'
import { completeRegistration } from '../../actions/agents/complete-registration.ts'
import { findAgent } from '../../actions/agents/find-agent.ts'
import { setWallet } from '../../actions/agents/set-wallet.ts'
import { isoTime } from '../../domain/instant.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'
import { profileOf } from '../profile-of.ts'
import { walletView } from '../views/agent-view.ts'

type AgentHandlers = Pick<Handlers, 'registerInit' | 'registerComplete' | 'getWallet' | 'setWallet'>

const WALLET_NOT_SAVED =
  'wallet_address and wallet_network are not taken at registration: prove the wallet with PATCH /v1/agents/{id}/wallet.'

export function agentHandlers(world: World): AgentHandlers {
  const { store, rules } = world
  return {
    async registerInit({ body }) {
      const { challenge, previousHash } = await beginRegistration(world, body.public_key)
      return {
        body: {
          challenge_id: challenge.id,
          challenge: challenge.text,
          difficulty: challenge.difficulty,
          expires_at: isoTime(challenge.expiresAt),
          previous_hash: previousHash,
        },
      }
    },

    async registerComplete({ body, held }) {
      const registration = {
        challengeId: body.challenge_id,
        publicKey: body.public_key,
        nonce: body.nonce,
        signature: body.signature,
        profile: profileOf(body.profile),
      }
      const { agent, seal } = await completeRegistration(world, registration, held)
      const sentWallet = body.wallet_address !== undefined || body.wallet_network !== undefined
      return {
        body: {
          agent_id: agent.id,
          status: agent.status,
          chain_sequence: seal?.sequence ?? null,
          entry_hash: seal?.entryHash ?? null,
          profile_url: `${rules.baseUrl}/v1/agents/${agent.id}`,
          ...(sentWallet ? { wallet_not_saved: WALLET_NOT_SAVED } : {}),
        },
      }
    },

    getWallet: async ({ params }) => ({ body: walletView(await findAgent(store, params.id)) }),

    async setWallet({ params, body, caller }) {
      const agent = await setWallet(world, caller, params.id, {
        address: body.wallet_address as Hex | null,
        network: body.wallet_network ?? null,
        proof: body.wallet_proof
          ? { message: body.wallet_proof.message, signature: body.wallet_proof.signature as Hex }
          : null,
      })
      return { body: walletView(agent) }
    },
  }
}
