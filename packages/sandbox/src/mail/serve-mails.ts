import type { Server, ServerResponse } from 'node:http'
import { createPartServer } from '../part-server.ts'
import { mailPage, pagePolicy } from './mail-page.ts'
import type { MailStore } from './mail-store.ts'

/** Shows the kept mails as a page and as JSON. */
export function serveMails(store: MailStore): Server {
  return createPartServer((request, response) => {
    if (request.method !== 'GET') return send(response, 405, 'text/plain', 'Only GET is answered here.\n')
    switch (request.url?.split('?')[0]) {
      case '/':
        return send(response, 200, 'text/html; charset=utf-8', mailPage(store.newestFirst()))
      case '/mails.json':
        return send(response, 200, 'application/json', JSON.stringify({ mails: store.newestFirst() }))
      default:
        return send(response, 404, 'text/plain', 'There is nothing here.\n')
    }
  })
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-security-policy': pagePolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  response.end(body)
}
