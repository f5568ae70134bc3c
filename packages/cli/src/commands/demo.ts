import { DEFAULT_URL } from '../default-url.ts'
import { ensureSandbox } from '../demo/ensure-sandbox.ts'
import { createNarrator } from '../demo/narrator.ts'
import { playStory } from '../demo/play-story.ts'
import { openStage } from '../demo/stage.ts'
import { tellWhatNext } from '../demo/tell-what-next.ts'
import { PlainError } from '../plain-error.ts'

/** Plays the story of a paid task against a sandbox; fails when one of its checks does. */
export async function demo(url: string | undefined): Promise<void> {
  const began = performance.now()
  const narrator = createNarrator(process.stdout)
  narrator.title('Guildhall: an agent is hired, delivers, and is paid. Real parts, play money.')
  const sandbox = await ensureSandbox(url || DEFAULT_URL, narrator)
  try {
    narrator.say(`The sandbox is at ${sandbox.url}.`)
    const taskId = await playStory(await openStage(sandbox.url, narrator))
    tellWhatNext(narrator, sandbox, taskId)
  } finally {
    await sandbox.stop()
  }
  const failed = narrator.failedChecks()
  if (failed > 0) throw new PlainError(`\n${failed} checks did not hold: they are marked ✗ above.`)
  narrator.title(`\nEverything held, in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
}
