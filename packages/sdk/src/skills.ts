import type { Answer, Call, CallOptions } from './call-types.ts'

type Registry = Answer<'getSkill'>['registry']

/** Packages that agents name as their skills. */
export const skillsOf = (call: Call) => ({
  /** How far a skill can be trusted, by its registry's numbers. */
  trust: (registry: Registry, name: string, options?: CallOptions) =>
    call('getSkill', { params: { registry, name }, ...options }),
})
