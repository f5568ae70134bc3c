import { chainVerifier } from '@guildhall/protocol'
import type { Answer, Guildhall } from '@guildhall/sdk'
import { checkAnswer } from '../check-answer.ts'
import type { Narrator } from '../demo/narrator.ts'
import { areCheckpoints } from './are-checkpoints.ts'
import { DoesNotHoldError } from './does-not-hold-error.ts'
import { faultSentence } from './fault-sentence.ts'
import { count, progressBar, rateOf } from './progress-bar.ts'

type Entry = Answer<'getEntry'>

/** Reads the whole published ledger and checks all of it locally, trusting nothing but its own computation. */
export async function verifyChain(
  { chain }: Pick<Guildhall, 'chain'>,
  narrator: Narrator,
  registryKey?: string,
): Promise<void> {
  const head = await chain.latest()
  checkAnswer(typeof head.sequence === 'number' && areCheckpoints(head.checkpoints))
  const verifier = chainVerifier(head.checkpoints, { isAttested: true })
  const draw = progressBar(narrator, head.sequence)
  const began = performance.now()
  let last: Entry | null = null
  const checkpoints = new Set<string>()
  for await (const page of chain.pages(1, head.sequence)) {
    const late = verifier.attest(page.checkpoints)
    if (late !== null) doesNotHold(narrator, faultSentence(late))
    for (const { signature } of page.checkpoints) checkpoints.add(signature)
    for (const entry of page.entries) {
      const fault = verifier.add(entry)
      if (fault !== null) doesNotHold(narrator, faultSentence({ ...fault, sequence: (last?.sequence ?? 0) + 1 }))
      if (last === null) tellRegistry(entry, narrator, registryKey)
      last = entry
      draw(entry.sequence)
    }
  }
  const fault = verifier.finish(head)
  if (fault !== null) doesNotHold(narrator, faultSentence(fault))
  const speed = rateOf(head.sequence, performance.now() - began)
  narrator.check(true, `${count(head.sequence)} entries are numbered without a gap (read and checked at ${speed})`)
  narrator.check(true, 'each hashes to its own entry_hash, names the one before it, and is not dated before it')
  narrator.check(
    true,
    `every checkpoint (${count(checkpoints.size)}) is signed by the registry over the Merkle root of all entries up to it`,
  )
  if (verifier.attested() < head.sequence)
    narrator.say(
      `Entries from ${count(verifier.attested() + 1)} on wait for the next checkpoint: only links hold them.`,
    )
  narrator.fact('head', head.entry_hash)
  narrator.fact('root', verifier.rootHash())
}

function tellRegistry({ public_key }: Entry, narrator: Narrator, expected: string | undefined): void {
  if (expected !== undefined && public_key !== expected)
    doesNotHold(narrator, `Entry 1 names ${public_key} as the registry’s key, not ${expected}.`)
  narrator.fact('registry', `${public_key} (the key of entry 1${expected === undefined ? '' : ', as expected'})`)
}

function doesNotHold(narrator: Narrator, sentence: string): never {
  narrator.check(false, sentence)
  throw new DoesNotHoldError(`The ledger does not hold: ${sentence}`)
}
