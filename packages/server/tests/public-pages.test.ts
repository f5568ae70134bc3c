import { describe, expect, test } from 'vitest'
import { newBuyer, newWorker } from './support/cast.ts'
import { setStage } from './support/stage.ts'
import { aDelivery, claimAndDeliver, deliveredTask, postEscrowed, postFree } from './support/tasks.ts'

const stage = setStage()

async function open(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${stage.node().url}${path}`, { headers: { Accept: 'text/html', ...headers } })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('board, ledger and status for people', () => {
  test.each(['/board', '/board?status=verified', '/ledger', '/status'])(
    '%s is a page without script under the strict policy, and is revalidated',
    async (path) => {
      const { status, headers, text } = await open(path)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).not.toMatch(/script-src|unsafe/)
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(text).not.toContain('<script')
      const again = await open(path, { 'If-None-Match': headers.get('etag') ?? '' })
      expect([200, 304]).toContain(again.status)
    },
  )

  test('the API answers a browser in JSON, as it answers everybody', async () => {
    for (const path of ['/v1/tasks', '/v1/chain', '/v1/status']) {
      const { headers } = await open(path, { Accept: 'text/html,*/*;q=0.8' })
      expect(headers.get('content-type')).toContain('application/json')
    }
  })

  test('the board has open tasks, and each list those of its status', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const paid = await postEscrowed(buyer, { title: 'Count with escrow', required_capabilities: ['board story'] })
    const working = await postFree(buyer, { title: 'Count in work', required_capabilities: ['board story'] })
    const gone = await postFree(buyer, { title: 'Count no more', required_capabilities: ['board story'] })
    await worker.client.tasks.claim(working)
    await buyer.client.tasks.cancel(gone)
    const at = (query: string) => open(`/board?capability=board+story${query}`)
    const { text } = await at('')
    expect(text).toContain(`href="/board/${paid}"`)
    expect(text).toMatch(/5\.00 USDC<span class="held"> in escrow/)
    expect(text).not.toMatch(/Count in work|Count no more/)
    expect((await at('&status=claimed')).text).toContain('Count in work')
    expect((await at('&status=verified')).text).toContain('No task in this list asks for it.')
    expect((await at('&status=')).text).toContain(paid)
  })

  test.each(['all', 'closed', 'cancelled', 'done'])(
    'a list that the board does not have is refused in words: %s',
    async (name) => {
      const { status, headers, text } = await open(`/board?status=${name}`)
      expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
      expect(text).toContain(
        'Status: Only &quot;open&quot;, &quot;claimed&quot;, &quot;submitted&quot;, or &quot;verified&quot; is taken.',
      )
    },
  )

  test('the board goes on page by page; a page that cannot be is the first, and one too far is refused in words', async () => {
    const buyer = await newBuyer(stage)
    for (let count = 0; count < 21; count++)
      await postFree(buyer, { title: `Number ${count}.`, required_capabilities: ['paging'] })
    const first = await open('/board?capability=paging')
    expect(first.text.match(/href="\/board\/task_/g)).toHaveLength(20)
    expect(first.text).not.toContain('Number 0.')
    expect(first.text).toContain('href="/board?capability=paging&amp;page=2"')
    const second = await open('/board?capability=paging&page=2')
    expect(second.text.match(/href="\/board\/task_/g)).toHaveLength(1)
    expect(second.text).toContain('Number 0.')
    expect((await open('/board?page=-1')).status).toBe(200)
    const far = await open('/board?page=999999999')
    expect([far.status, far.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    expect((await open(`/board?capability=${'x'.repeat(65)}`)).status).toBe(400)
  })

  test('the page of a task shows what everybody may see, and the delivery only while it is published', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const id = await deliveredTask(buyer, worker, { title: 'Count in public' })
    const hidden = await open(`/board/${id}`)
    expect(hidden.text).toContain('It is private to the poster and the agent.')
    expect(hidden.text).not.toContain(aDelivery.summary)
    await buyer.client.tasks.publish(id)
    expect((await open(`/board/${id}`)).text).toContain(aDelivery.summary)
    await buyer.client.tasks.unpublish(id)
    expect((await open(`/board/${id}`)).text).not.toContain(aDelivery.summary)
    await buyer.client.tasks.accept(id, { rating: 5, rating_comment: 'Quick.' })
    const done = await open(`/board/${id}`)
    expect(done.text).toContain('The poster accepted it')
    expect(done.text).toContain('Quick.')
  })

  test('whatever strangers write is shown as text', async () => {
    const [buyer, worker] = [await newBuyer(stage), await newWorker(stage)]
    const nasty = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>'
    const id = await postFree(buyer, {
      title: nasty,
      description: nasty,
      expected_output: nasty,
      required_capabilities: [nasty],
    })
    const list = await open('/board')
    await claimAndDeliver(worker, id)
    const shown = await open(`/board/${id}`)
    for (const { status, text } of [list, shown, await open(`/board?capability=${encodeURIComponent(nasty)}`)]) {
      expect(status).toBe(200)
      expect(text).toContain('&lt;script&gt;')
      expect(text).not.toMatch(/<script|<img/)
    }
  })

  test.each(['/board?capability=%00', '/board?page=2&capability=a%00b', '/board?%00', '/ledger?page=%00'])(
    'the malformed query of %s is refused in words',
    async (path) => {
      const { status, text } = await open(path)
      expect([status, text.includes('A NUL character is not taken.')]).toEqual([400, true])
    },
  )

  test('a task that is not there is a page that says so', async () => {
    const { status, headers, text } = await open('/board/task_none')
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(text).toContain('There is no task task_none.')
  })

  test('ledger and status say what the API says', async () => {
    await newWorker(stage, { name: 'Entered in the ledger' })
    const { sequence: total } = await stage.client().chain.latest()
    const ledger = await open('/ledger')
    expect(ledger.text).toContain(`There are ${total} entries.`)
    expect(ledger.text).toContain('Entered in the ledger')
    expect(ledger.text).toContain('An agent registered')
    const { agents } = await stage.client().service.status()
    expect((await open('/status')).text).toContain(`<div><dt>agents</dt><dd>${agents.total}</dd></div>`)
  })
})
