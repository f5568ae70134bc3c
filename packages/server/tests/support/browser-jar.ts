/** What a person's browser shows after it has followed every redirection. */
export type Shown = {
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Cookie = { readonly name: string; readonly value: string; readonly path: string; readonly host: string }
type Sent = { readonly form?: Readonly<Record<string, string>>; readonly headers?: Readonly<Record<string, string>> }

export type Jar = ReturnType<typeof openJar>

/** A browser without a window: it keeps cookies, follows redirections and fills in forms. */
export function openJar() {
  let cookies: readonly Cookie[] = []

  function keep(url: URL, set: readonly string[]): void {
    for (const text of set) {
      const [pair = '', ...attributes] = text.split(/;\s*/)
      const [name = '', ...value] = pair.split('=')
      const path = attributes.find((part) => /^path=/i.test(part))?.slice(5) ?? '/'
      const gone = attributes.some((part) => /^max-age=0$/i.test(part) || /^expires=.*1970/i.test(part))
      const cookie = { name, value: value.join('='), path, host: url.hostname }
      cookies = cookies.filter((old) => old.name !== name || old.path !== path || old.host !== cookie.host)
      if (!gone) cookies = [...cookies, cookie]
    }
  }

  const cookieHeader = (url: URL): string =>
    cookies
      .filter(({ host, path }) => host === url.hostname && url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')

  /** One request, answered with whatever comes; redirections are not followed. */
  async function ask(address: string, { form, headers = {} }: Sent = {}): Promise<Response> {
    const url = new URL(address)
    const cookie = cookieHeader(url)
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    })
    keep(url, answer.headers.getSetCookie())
    return answer
  }

  /** Follows redirections until there is something to see, or until one leads to an address that begins so. */
  async function open(address: string, sent: Sent = {}, stopAt = '\n'): Promise<Shown> {
    let url = address
    let answer = await ask(url, sent)
    for (let next = answer.headers.get('location'); next !== null; next = answer.headers.get('location')) {
      url = new URL(next, url).href
      if (url.startsWith(stopAt)) return { url, status: answer.status, headers: answer.headers, text: '' }
      answer = await ask(url)
    }
    return { url, status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  return {
    ask,
    open,
    cookieHeader: (address: string) => cookieHeader(new URL(address)),
    cookies: () => cookies,
  }
}

/** The fields of the form on a page that leads to this path, hidden ones included. */
export function formOf({ text }: Shown, holding: string): Record<string, string> {
  const form = text.split('<form').find((part) => part.includes(holding)) ?? ''
  const fields = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}
