import type { Runs } from './runs.ts'

/** A secret that is recognised by its prefix. */
export type TokenShape = {
  readonly kind: string
  readonly begins: string
  readonly of: Exclude<keyof Runs, 'digits'>
  /** Characters after the prefix. */
  readonly atLeast: number
}

const shapes = (kind: string, beginnings: string, of: TokenShape['of'], atLeast: number): readonly TokenShape[] =>
  beginnings.split(' ').map((begins) => ({ kind, begins, of, atLeast }))

export const TOKEN_SHAPES: readonly TokenShape[] = [
  ...shapes('manage token', 'gmt_', 'base64url', 36),
  ...shapes('webhook secret', 'whsec_', 'base64', 20),
  ...shapes('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', 'alphanumeric', 30),
  ...shapes('GitHub token', 'github_pat_', 'base64url', 40),
  ...shapes('GitLab token', 'glpat- gldt- glrt-', 'base64url', 20),
  ...shapes('Slack token', 'xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp-', 'base64url', 20),
  ...shapes('Stripe key', 'sk_live_ sk_test_ rk_live_ rk_test_', 'alphanumeric', 16),
  ...shapes('AWS key', 'AKIA ASIA', 'upper', 16),
  ...shapes('API key', 'sk-', 'base64url', 20),
  ...shapes('Google key', 'AIza', 'base64url', 33),
  ...shapes('npm token', 'npm_', 'alphanumeric', 30),
  ...shapes('PyPI token', 'pypi-', 'base64url', 40),
  ...shapes('Hugging Face token', 'hf_', 'alphanumeric', 30),
  ...shapes('extended key', 'xprv tprv yprv zprv', 'alphanumeric', 100),
  ...shapes('Slack address', 'hooks.slack.com', 'token', 30),
  ...shapes('SendGrid key', 'SG.', 'token', 40),
  // Payments and sessions are sent as base64 of JSON, which begins with a brace and a quotation mark.
  ...shapes('encoded token', 'eyJ', 'token', 120),
]
