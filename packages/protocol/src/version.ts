/** The version of the machine-readable description (specification, section 9). */
export const API_VERSION = '0.7.0'

/** The version of the short descriptors under /.well-known (specification, section 9). */
export const DESCRIPTOR_VERSION = '0.1.0'

/**
 * The version of the skill text, sent with every response, so that agents know when to read it again. Raise the last number for
 * better wording, the middle one for something new, and the first one when an agent that follows the older text would now be
 * refused.
 */
export const SKILL_VERSION = '0.1.0'
