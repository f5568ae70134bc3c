import type { UsedSandbox } from './ensure-sandbox.ts'
import type { Narrator } from './narrator.ts'

export function tellWhatNext(narrator: Narrator, { url, startedHere }: UsedSandbox, taskId: string): void {
  narrator.say('')
  narrator.title('What to try next')
  if (startedHere) narrator.say('npm start   keeps a sandbox running; then:')
  narrator.say(`${url}/docs   every endpoint, in a browser`)
  narrator.say(`${url}/v1/tasks/${taskId}/payment   what became of the money`)
  narrator.say(`${url}/v1/escrow/reserves   what the escrow owes and holds`)
  narrator.say('README.md   the same story in a few lines with the SDK')
  narrator.say('Move the clock a week on and see what happens by itself:')
  narrator.say(
    `curl -X POST ${url}/v1/sandbox/clock -H 'content-type: application/json' -d '{"advance_seconds":604800}'`,
  )
}
