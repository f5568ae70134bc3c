import type { ProfileUpdate } from '@guildhall/protocol'
import type { z } from 'zod'
import type { Profile } from '../domain/agent/agent.ts'
import { skillOf } from './profile-of.ts'

/** The profile fields that a body names; null clears a field. */
export function profileChanges(body: z.output<typeof ProfileUpdate>): Partial<Profile> {
  const { name, description, capabilities } = body
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(body.protocols === undefined ? {} : { protocols: body.protocols ?? [] }),
    ...(body.homepage === undefined ? {} : { homepage: body.homepage }),
    ...(body.contact_endpoint === undefined ? {} : { contactEndpoint: body.contact_endpoint }),
    ...(body.organization === undefined ? {} : { organization: body.organization }),
    ...(body.tags === undefined ? {} : { tags: body.tags ?? [] }),
    ...(body.version === undefined ? {} : { version: body.version }),
    ...(body.webhook_url === undefined ? {} : { webhookUrl: body.webhook_url }),
    ...(body.skills === undefined ? {} : { skills: (body.skills ?? []).map(skillOf) }),
  }
}
