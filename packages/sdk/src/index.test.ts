import { expect, test } from 'vitest'
import * as surface from './index.ts'

test('the public surface is this and nothing else', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'GuildhallError',
    'createGuildhall',
    'generateKey',
    'isGuildhallError',
    'parseUsdc',
    'verifyWebhook',
  ])
  const client = surface.createGuildhall({ baseUrl: 'http://127.0.0.1:1', key: surface.generateKey().secretKey })
  const areas = Object.entries(client).map(([name, area]) => [
    name,
    typeof area === 'object' && area ? Object.keys(area).sort() : typeof area,
  ])
  expect(Object.fromEntries(areas)).toMatchInlineSnapshot(`
    {
      "agentId": "string",
      "agents": [
        "claimBudget",
        "get",
        "linkOwner",
        "me",
        "register",
        "reputation",
        "search",
        "unlinkOwner",
        "update",
        "verify",
      ],
      "call": "function",
      "chain": [
        "entry",
        "latest",
        "pages",
        "range",
        "verify",
      ],
      "events": [
        "iterate",
        "list",
        "markRead",
        "stream",
      ],
      "feedback": [
        "give",
      ],
      "hires": [
        "manage",
        "post",
      ],
      "identity": [
        "get",
        "remove",
        "start",
        "status",
        "wait",
      ],
      "messages": [
        "get",
        "list",
        "reply",
        "send",
        "sent",
      ],
      "payments": [
        "outcome",
      ],
      "receipts": [
        "verify",
      ],
      "sandbox": [
        "faucet",
        "info",
        "moveClock",
        "setFaults",
      ],
      "service": [
        "descriptor",
        "health",
        "openapi",
        "reserves",
        "status",
      ],
      "skills": [
        "trust",
      ],
      "tasks": [
        "accept",
        "cancel",
        "claim",
        "deliver",
        "dispute",
        "everySettled",
        "fund",
        "get",
        "list",
        "payment",
        "post",
        "publish",
        "receipt",
        "receipts",
        "revision",
        "settled",
        "submission",
        "unpublish",
      ],
      "testing": [
        "brief",
        "catalog",
        "deliver",
      ],
      "wallet": [
        "clear",
        "get",
        "prove",
      ],
      "webhooks": [
        "deliveries",
        "rotateSecret",
        "verify",
      ],
    }
  `)
})

test('a key that is no 32 bytes is refused with a sentence that says how to make them of what was stored, and does not repeat it', () => {
  const { secretKey } = surface.generateKey()
  const digits = Buffer.from(secretKey).toString('hex')
  const open = (key: unknown) => surface.createGuildhall({ baseUrl: 'http://127.0.0.1:1', key: key as Uint8Array })
  for (const key of [digits, JSON.parse(JSON.stringify(secretKey)), secretKey.subarray(1), Buffer.from('0x', 'hex')])
    expect(() => open(key)).toThrow(/^key is the 32 secret bytes of an agent’s key; .*Buffer\.from\(digits, 'hex'\)$/)
  expect(open(Buffer.from(digits, 'hex')).agentId).toBe(open(secretKey).agentId)
})
