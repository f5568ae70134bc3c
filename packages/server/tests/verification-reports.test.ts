import { type JsonObject, signDocument, signRequest } from '@guildhall/protocol'
import { describe, expect, test } from 'vitest'
import { newAgent, type Player } from './support/cast.ts'
import { outcomeOf, send, signed } from './support/raw.ts'
import { refusalOf } from './support/refusals.ts'
import { reportOf, submit } from './support/reports.ts'
import { setStage } from './support/stage.ts'

const stage = setStage({ nodes: 2 })

const JSON_TYPE = { 'Content-Type': 'application/json' }
const assignmentOf = (player: Player) => player.client.call('getAssignment')

describe('a report is refused', () => {
  test('without a signature of its own that covers everything that was sent', async () => {
    const verifier = await newAgent(stage)
    const stranger = await newAgent(stage)
    const report = await reportOf(stage, verifier, { notes: 'signed', extra: { unknown: [1, null] } })
    const forged = [
      { ...report, result: 'fail' as const },
      { ...report, notes: null },
      { ...report, extra: { unknown: [1] } },
      { ...report, more: 1 },
      { ...report, signature: 'AAAA' },
      signDocument(stranger.key, report as unknown as JsonObject) as unknown as typeof report,
    ]
    for (const body of forged) expect((await refusalOf(submit(verifier, body), 'invalid_signature')).status).toBe(400)
    expect((await submit(verifier, report)).ok).toBe(true)
  })

  test('with another nonce, target, or a time before the assignment; none of that uses the assignment up', async () => {
    const verifier = await newAgent(stage)
    const { target } = await assignmentOf(verifier)
    const wrong: JsonObject[] = [
      { nonce: 'another' },
      { target_id: verifier.id },
      { timestamp: new Date(stage.now() - 3_600_000).toISOString() },
      { timestamp: Math.floor(stage.now() / 1000) + 120 },
      { timestamp: 'yesterday' },
      { result: 'maybe' },
      { coherence_score: 1.1 },
      { notes: 'x'.repeat(2_001) },
      { padding: 'x'.repeat(17_000) },
    ]
    for (const changes of wrong) {
      await refusalOf(
        reportOf(stage, verifier, changes).then((body) => submit(verifier, body)),
        'bad_request',
      )
    }
    expect((await assignmentOf(verifier)).target).toEqual(target)
    expect(
      (await submit(verifier, await reportOf(stage, verifier, { timestamp: Math.floor(stage.now() / 1000) }))).ok,
    ).toBe(true)
  })

  test('with a number that has no canonical form', async () => {
    const verifier = await newAgent(stage)
    const report = JSON.stringify(await reportOf(stage, verifier))
    const path = '/v1/verify/submit'
    for (const extra of ['1e999', '[{"deep":-1e999}]']) {
      const body = report.replace('{', `{"extra":${extra},`)
      const timestamp = Math.floor(stage.now() / 1000)
      const headers = {
        ...signRequest({ secretKey: verifier.key, method: 'POST', path, body, timestamp }),
        ...JSON_TYPE,
      }
      const answer = await send(stage, { method: 'POST', path, headers, body })
      expect([outcomeOf(answer), answer.body.issues]).toEqual([
        '400 bad_request',
        [{ path: '', message: 'A number is too large: JSON’s end near 1.8e308.' }],
      ])
    }
  })

  test('with a field named __proto__, which its signature would not cover', async () => {
    const verifier = await newAgent(stage)
    const report = JSON.stringify(await reportOf(stage, verifier, { structured_report: { tool_honesty: 1 } }))
    const path = '/v1/verify/submit'
    const forged = [
      report.replace(/}$/, ',"__proto__":{"notes":"unsigned"}}'),
      report.replace('"tool_honesty":1', '"tool_honesty":1,"__proto__":{"safety_issues":true}'),
    ]
    for (const body of forged) {
      const timestamp = Math.floor(stage.now() / 1000)
      const signature = signRequest({ secretKey: verifier.key, method: 'POST', path, body, timestamp })
      const answer = await send(stage, { method: 'POST', path, headers: { ...signature, ...JSON_TYPE }, body })
      expect(outcomeOf(answer)).toBe('400 bad_request')
    }
    expect((await submit(verifier, JSON.parse(report))).ok).toBe(true)
  })

  test('on another agent’s assignment, an unknown one, or one that has been reported on', async () => {
    const [verifier, other] = [await newAgent(stage), await newAgent(stage)]
    const { assignment_id } = await assignmentOf(other)
    const foreign = await reportOf(stage, verifier, { assignment_id })
    await refusalOf(submit(verifier, foreign), 'forbidden')
    const unknown = await reportOf(stage, verifier, { assignment_id: crypto.randomUUID() })
    expect((await refusalOf(submit(verifier, unknown), 'not_found')).fields.resource).toBe('assignment')
    const ofNoVersion = await reportOf(stage, verifier, { assignment_id: '11111111-1111-1111-1111-111111111111' })
    await refusalOf(submit(verifier, ofNoVersion), 'not_found')
    const report = await reportOf(stage, verifier)
    await submit(verifier, report)
    await refusalOf(submit(verifier, report), 'conflict')
    const reported = await reportOf(stage, other, { assignment_id: report.assignment_id })
    await refusalOf(submit(other, reported), 'forbidden')
  })

  test('and not for the letter case of the assignment’s id, which its signature covers as it was sent', async () => {
    const verifier = await newAgent(stage)
    const { assignment_id } = await assignmentOf(verifier)
    const report = await reportOf(stage, verifier, { assignment_id: assignment_id.toUpperCase() })
    expect(await submit(verifier, report)).toMatchObject({ ok: true })
    await refusalOf(submit(verifier, report), 'conflict')
  })

  test('when it comes twice at the same moment: one of them counts', async () => {
    const verifier = await newAgent(stage)
    const report = await reportOf(stage, verifier)
    const both = await Promise.allSettled(
      [0, 1, 0, 1].map((node) => verifier.with({ node }).call('submitVerification', { body: report })),
    )
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    expect((await verifier.client.agents.reputation()).verifications_given).toBe(1)
  })

  test('without an agent’s signature around it, or with a bad one', async () => {
    const verifier = await newAgent(stage)
    const request = signed(stage, verifier, 'POST', '/v1/verify/submit', await reportOf(stage, verifier))
    expect(outcomeOf(await send(stage, { ...request, headers: { 'Content-Type': 'application/json' } }))).toBe(
      '401 auth_required',
    )
    const tampered = { ...request, body: (request.body ?? '').replace('"pass"', '"fail"') }
    expect(outcomeOf(await send(stage, tampered))).toBe('401 invalid_signature')
    expect(outcomeOf(await send(stage, request))).toBe('200')
    expect(outcomeOf(await send(stage, request))).toBe('401 signature_replayed')
  })
})
