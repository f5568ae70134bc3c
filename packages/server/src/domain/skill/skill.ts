import { limits, type SkillRegistry } from '@guildhall/protocol'
import type { Instant } from '../instant.ts'

/** What the registry itself says of the newest release. */
export type SkillStanding = 'good' | 'deprecated' | 'flagged'

export type SkillFacts = {
  readonly version: string | null
  readonly description: string | null
  /** Null where the registry has not counted any. */
  readonly downloads: number | null
  readonly standing: SkillStanding
}

/** What is known of a skill since the last look into its registry; no facts: the registry knows no such package. */
export type SkillRecord = {
  readonly registry: SkillRegistry
  readonly name: string
  readonly facts: SkillFacts | null
  readonly checkedAt: Instant
}

const MOST_ADOPTION = 0.9
const DOWNLOADS_FOR_ALL = 6

/** Downloads can be bought, so that they never make for full trust. */
export const adoptionOf = (downloads: number | null): number =>
  rounded(Math.min(MOST_ADOPTION, Math.log10((downloads ?? 0) + 1) / DOWNLOADS_FOR_ALL))

const WEIGHT: Readonly<Record<SkillStanding, number>> = { good: 1, deprecated: 0.25, flagged: 0 }

export const trustOf = ({ downloads, standing }: SkillFacts): number =>
  rounded(adoptionOf(downloads) * WEIGHT[standing])

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000

/** A package that is not there may be published any minute. */
export const isFresh = ({ facts, checkedAt }: SkillRecord, now: Instant): boolean =>
  now - checkedAt < (facts === null ? limits.skill.missingCachedMs : limits.skill.cachedMs)
