import type { ProfileRequest, Skill as WireSkill } from '@guildhall/protocol'
import type { z } from 'zod'
import type { Profile, Skill } from '../domain/agent/agent.ts'

/** The profile with which an agent registers. */
export const profileOf = (body: z.output<typeof ProfileRequest>): Profile => ({
  name: body.name,
  description: body.description,
  capabilities: body.capabilities,
  protocols: body.protocols ?? [],
  homepage: body.homepage ?? null,
  contactEndpoint: body.contact_endpoint ?? null,
  organization: body.organization ?? null,
  tags: body.tags ?? [],
  version: body.version ?? null,
  webhookUrl: body.webhook_url ?? null,
  skills: (body.skills ?? []).map(skillOf),
})

export const skillOf = (skill: z.output<typeof WireSkill>): Skill => ({
  name: skill.name,
  registry: skill.registry,
  version: skill.version ?? null,
  private: skill.private ?? false,
})
