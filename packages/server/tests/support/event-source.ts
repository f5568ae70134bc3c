import type { Player } from './cast.ts'
import { signed } from './raw.ts'
import type { Stage } from './stage.ts'
import { pauseMs } from './until.ts'

/** Listens as a browser's EventSource does: when a connection ends, the next one says with Last-Event-ID where it stood. */
export function listen(stage: Stage, player: Player, send: typeof fetch) {
  const path = `/v1/agents/${player.id}/events/stream`
  const abort = new AbortController()
  const heard: string[] = []
  let last = '0'
  let connections = 0

  async function connect(): Promise<void> {
    const { headers } = signed(stage, player, 'GET', path)
    const answer = await send(`http://nodes${path}?after=0`, {
      headers: { ...headers, Accept: 'text/event-stream', ...(connections > 0 && { 'Last-Event-ID': last }) },
      signal: abort.signal,
    })
    if (answer.status !== 200 || !answer.body) return void (await answer.arrayBuffer())
    connections++
    let text = ''
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      const blocks = `${text}${chunk}`.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
  }

  function take(block: string): void {
    const field = (name: string) => block.match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1]
    last = field('id') ?? last
    const data = field('data')
    if (data !== undefined) heard.push((JSON.parse(data) as { readonly id: string }).id)
  }

  async function run(): Promise<void> {
    while (!abort.signal.aborted) {
      await connect().catch(() => {})
      await pauseMs(100)
    }
  }

  const running = run()
  return {
    player,
    /** The ids of the events, in the order in which they came. */
    heard,
    connections: () => connections,
    async stop() {
      abort.abort()
      await running
    },
  }
}
