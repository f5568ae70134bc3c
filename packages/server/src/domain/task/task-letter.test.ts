import { expect, test } from 'vitest'
import { sampleTask } from '../../../tests/support/samples.ts'
import { MAILED, taskLetter } from './task-letter.ts'

const service = { name: 'Guildhall', url: 'https://hall.example' }
const task = { ...sampleTask(), id: 'task_1', title: 'Count\r\nBcc: eve@example.org', reviewNote: 'secret note' }

test.each(MAILED)('a mail about %s leads to the console and tells nothing of the delivery', (about) => {
  const { subject, text } = taskLetter(task, about, service)
  expect(subject).toMatch(/^Guildhall: [A-Z][a-z ]+$/)
  expect(text).toContain('https://hall.example/console/tasks/task_1')
  expect(text).toContain('“Count Bcc: eve@example.org”')
  expect(text).not.toContain('secret')
})
