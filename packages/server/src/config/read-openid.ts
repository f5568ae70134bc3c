import type { OpenidSettings } from '../outgoing/identity/create-openid-provider.ts'
import type { Settings } from './settings.ts'

/** GUILDHALL_OIDC_* describe one provider; null without an issuer. */
export function openidOf(
  read: (name: string, fallback: string) => string,
  mode: Settings['mode'],
  problems: string[],
): OpenidSettings | null {
  const issuer = read('GUILDHALL_OIDC_ISSUER', '')
  const clientId = read('GUILDHALL_OIDC_CLIENT_ID', '')
  const clientSecret = read('GUILDHALL_OIDC_CLIENT_SECRET', '') || null
  if (issuer === '') {
    if (clientId !== '' || clientSecret !== null)
      problems.push('GUILDHALL_OIDC_ISSUER is missing: the OpenID provider to which GUILDHALL_OIDC_CLIENT_ID belongs.')
    return null
  }
  if (clientId === '')
    problems.push(
      'GUILDHALL_OIDC_CLIENT_ID is missing: as what the provider at GUILDHALL_OIDC_ISSUER knows this service.',
    )
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    problems.push('GUILDHALL_OIDC_ISSUER is not an address such as https://accounts.example.')
  const insecure = url?.protocol === 'http:'
  if (insecure && mode === 'production')
    problems.push('GUILDHALL_OIDC_ISSUER is plain HTTP: whoever is in between could say who anybody is. Use https.')
  return { issuer, name: read('GUILDHALL_OIDC_NAME', url?.host ?? issuer), clientId, clientSecret, insecure }
}
