import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Accounts } from './accounts.ts'
import type { createProvider } from './create-provider.ts'
import { signInPage } from './sign-in-page.ts'

type Provider = ReturnType<typeof createProvider>

/** The provider's own routes, and the form that it leads people to. */
export function serveProvider(provider: Provider, accounts: Accounts) {
  const answerOthers = provider.callback()
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '').split('?')
    const [, uid, refused] = /^\/interaction\/([\w-]+)(\/refuse)?$/.exec(path) ?? []
    if (uid === undefined) {
      forgetSession(request)
      return void answerOthers(request, response)
    }
    await provider.interactionDetails(request, response)
    if (request.method !== 'POST') return sendPage(response, signInPage(uid))
    const form = new URLSearchParams(await text(request))
    await provider.interactionFinished(request, response, refused ? REFUSED : resultOf(form, accounts))
  }
}

/** People sign in anew every time, so that one browser can be different people. */
function forgetSession({ headers }: IncomingMessage): void {
  const kept = (headers.cookie ?? '').split(/;\s*/).filter((pair) => !pair.startsWith('_session'))
  headers.cookie = kept.join('; ')
}

const REFUSED = { error: 'access_denied', error_description: 'The person refused to sign in.' }

function resultOf(form: URLSearchParams, accounts: Accounts) {
  const email = form.get('email') ?? ''
  if (email === '') return REFUSED
  return { login: { accountId: accounts.signIn(email, form.get('name') ?? '').id } }
}

function sendPage(response: ServerResponse, page: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page)
}
