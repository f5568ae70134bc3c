/** The version of the machine-readable description (specification, section 9). */
export const API_VERSION = '0.7.0'

/** The version of the skill text, sent with every response. */
export const SKILL_VERSION = '0.1.0'
