import { pushEvents } from '../actions/inbox/push-events.ts'
import type { World } from '../ports/world.ts'

const LANES = 16

export type Pusher = {
  look(): Promise<number>
  /** Turns end with the event that is being pushed, so that another node can go on with the next. */
  endTurns(): void
  idle(): Promise<void>
}

/** Pushes webhooks with waiting events in up to LANES lanes at once, so that a slow address does not hold up the others. */
export function createPusher(world: World): Pusher {
  const running = new Map<string, Promise<void>>()
  let stopping = false

  function start(agentId: string): void {
    const pushing = pushEvents(world, agentId, () => stopping)
      .catch((error: unknown) =>
        world.log.warn('a webhook will be tried again', { agent: agentId, error: String(error) }),
      )
      .finally(() => running.delete(agentId))
    running.set(agentId, pushing)
  }

  return {
    /** Returns 0 even when it started work, so that the next look comes at its usual time. */
    async look() {
      const free = LANES - running.size
      if (free === 0) return 0
      const due = await world.store.dueWebhooks(world.clock.now(), LANES)
      for (const agentId of due.filter((id) => !running.has(id)).slice(0, free)) start(agentId)
      return 0
    },
    endTurns: () => {
      stopping = true
    },
    idle: async () => void (await Promise.all(running.values())),
  }
}
