import type { Jar, Shown } from './browser-jar.ts'

export type Person = { readonly email: string; readonly name?: string }

/** Opens an address of the sandbox's OpenID provider and signs in there; shows where that leads. */
export async function signIn(jar: Jar, linkUrl: string, { email, name = '' }: Person, stopAt?: string): Promise<Shown> {
  return jar.open(await formAddress(jar, linkUrl), { form: { email, name } }, stopAt)
}

/** The same, but the person would rather not say who they are. */
export async function refuseSignIn(jar: Jar, linkUrl: string): Promise<Shown> {
  return jar.open(`${await formAddress(jar, linkUrl)}/refuse`, { form: {} })
}

async function formAddress(jar: Jar, linkUrl: string): Promise<string> {
  const page = await jar.open(linkUrl)
  const [, action] = /<form method="post" action="([^"]+)">/.exec(page.text) ?? []
  if (action === undefined) throw new Error(`There is no form at ${page.url}: ${page.status} ${page.text}`)
  return new URL(action, page.url).href
}
