import { findSecrets } from '../secrets/find-secrets.ts'

export type Issue = { readonly path: string; readonly message: string }

/** Paths of all texts in a value that look like secrets; hashes and ids at the paths in `known` do not count. */
export function findSecretFields(
  value: unknown,
  path: string,
  isKnown: (path: string) => boolean = () => false,
): readonly Issue[] {
  if (isKnown(path)) return []
  if (typeof value === 'string') {
    const [secret] = findSecrets(value)
    return secret ? [{ path, message: `This looks like a secret (${secret.kind}): leave it out.` }] : []
  }
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, inner]) =>
    findSecretFields(inner, path === '' ? key : `${path}.${key}`, isKnown),
  )
}
