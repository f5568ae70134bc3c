import { limits, type SkillRegistry } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** The registry's own verdict on the newest release. */
export type SkillStanding = 'good' | 'deprecated' | 'flagged'

export type SkillFacts = {
  readonly version: string | null
  readonly description: string | null
  /** Null where the registry gives no count. */
  readonly downloads: number | null
  readonly standing: SkillStanding
}

/** What the last look-up in the registry found; null facts mean that the registry has no such package. */
export type SkillRecord = {
  readonly registry: SkillRegistry
  readonly name: string
  readonly facts: SkillFacts | null
  readonly checkedAt: Instant
}

const MOST_ADOPTION = 0.9
const DOWNLOADS_FOR_ALL = 6

/** Downloads can be bought, so they never give full trust. */
export const adoptionOf = (downloads: number | null): number =>
  rounded(Math.min(MOST_ADOPTION, Math.log10((downloads ?? 0) + 1) / DOWNLOADS_FOR_ALL))

const WEIGHT: Readonly<Record<SkillStanding, number>> = { good: 1, deprecated: 0.25, flagged: 0 }

export const trustOf = ({ downloads, standing }: SkillFacts): number =>
  rounded(adoptionOf(downloads) * WEIGHT[standing])

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000

/** A missing package is cached for a shorter time: it may be published any minute. */
export const isFresh = ({ facts, checkedAt }: SkillRecord, now: Instant): boolean =>
  now - checkedAt < (facts === null ? limits.skill.missingCachedMs : limits.skill.cachedMs)
