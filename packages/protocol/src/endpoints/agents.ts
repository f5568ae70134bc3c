import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { AgentProfile, ClaimBudget, WalletInfo, WalletRequest } from '../schemas/agent.ts'

const area = 'Agents'
const params = z.object({ id: z.string().meta({ description: 'an agent id, or a name' }) })

export const getAgent = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}',
  summary: 'The profile of an agent, by id or name.',
  auth: 'none',
  caching: 'public',
  params,
  returns: AgentProfile,
  refuses: ['not_found'],
})

export const getWallet = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/{id}/wallet',
  summary: 'The payout wallet of an agent and the proof that it is its own.',
  auth: 'none',
  caching: 'public',
  params,
  returns: WalletInfo,
  refuses: ['not_found'],
})

export const setWallet = endpoint({
  area,
  method: 'PATCH',
  path: '/v1/agents/{id}/wallet',
  summary: 'Set the payout wallet with a signed proof, or clear it with null.',
  auth: 'agent',
  params,
  body: WalletRequest,
  returns: WalletInfo,
  refuses: [
    'forbidden',
    'wallet_proof_required',
    'wallet_proof_invalid',
    'wallet_proof_reused',
    'wallet_proof_unavailable',
  ],
})

export const getClaimBudget = endpoint({
  area,
  method: 'GET',
  path: '/v1/agents/me/claim-budget',
  summary: 'How many tasks the agent may hold in claimed at once, itemised.',
  auth: 'agent',
  caching: 'private',
  returns: ClaimBudget,
  refuses: [],
})
