import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createNarrator } from './narrator.ts'

function listen(stream = new PassThrough()) {
  const narrator = createNarrator(stream)
  return { narrator, heard: () => String(stream.read() ?? '') }
}

test('a check that does not hold is marked and remembered', () => {
  const { narrator, heard } = listen()
  narrator.check(true, 'this holds')
  narrator.check(false, 'this does not')
  expect(heard()).toBe('   ✓ this holds\n   ✗ this does not\n')
  expect(narrator.failedChecks()).toBe(1)
})

test('what a service says neither controls the terminal nor adds a line of its own', () => {
  const { narrator, heard } = listen()
  narrator.title('The ledger of \u001b[2Jx')
  narrator.step('Receipt \u001b]0;x\u0007')
  narrator.fact('agent', 'ag_1\n   ✓ it holds\u009b2K')
  narrator.say('\u202esdrawkcab')
  narrator.check(false, 'entry\r✓ 1')
  expect(heard().split('\n')).toEqual([
    'The ledger of �[2Jx',
    '',
    '1  Receipt �]0;x�',
    '   agent     ag_1�   ✓ it holds�2K',
    '   �sdrawkcab',
    '   ✗ entry�✓ 1',
    '',
  ])
})

test('without a terminal there are neither colours nor progress', () => {
  const { narrator, heard } = listen()
  narrator.progress('1 of 2')
  narrator.title('Title')
  narrator.step('First')
  expect(heard()).toBe('Title\n\n1  First\n')
})

test('on a terminal the next line takes the place of the progress', () => {
  const { narrator, heard } = listen(Object.assign(new PassThrough(), { isTTY: true }))
  narrator.progress('1 of 2')
  narrator.say('done')
  expect(heard()).toBe('\u001b[1G\u001b[2K   1 of 2\u001b[1G\u001b[2K   done\n')
})
