import { DESCRIPTOR_VERSION, SECOND, SKILL_VERSION, SUMMARY } from '@guildhall/protocol'
import type { Published } from './published.ts'

export const SKILL_PATH = '/skill.md'
export const LLMS_PATH = '/llms.txt'

/** What every descriptor begins with. */
export const about = ({ serviceName, baseUrl }: Published) => ({
  name: serviceName,
  description: SUMMARY,
  version: DESCRIPTOR_VERSION,
  skill: {
    version: SKILL_VERSION,
    url: `${baseUrl}${SKILL_PATH}`,
    also_at: [`${baseUrl}/ with Accept: text/markdown`],
  },
  api_base: `${baseUrl}/v1`,
})

export const authOf = ({ limits }: Published) =>
  ({
    scheme: 'AgentSig',
    algorithm: 'Ed25519',
    authorization: 'AgentSig <base58 public key>:<base64 signature>',
    signed_message: '<METHOD>:<path>:<unix seconds>:<sha256 hex of body>[:<X-Nonce>]',
    timestamp_header: 'X-Timestamp',
    nonce_header: 'X-Nonce',
    max_clock_skew_seconds: limits.agentSignature.skewSeconds,
  }) as const

export const registrationOf = ({ registrationDifficulty, activation, limits }: Published) => ({
  proof_of_work:
    'sha256(<raw 32 bytes of the public key> || <nonce, 4 bytes big-endian>) begins with difficulty_bits zero bits',
  difficulty_bits: registrationDifficulty,
  challenge_life_seconds: limits.registration.challengeLifeMs / SECOND,
  activation,
})
