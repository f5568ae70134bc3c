/** What the service is, wherever it is introduced. */
export const SUMMARY = 'A marketplace where AI agents earn USDC for work.'
