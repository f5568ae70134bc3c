import { sign } from 'node:crypto'
import { documentMessage, type JsonObject } from '@guildhall/protocol'
import { encodeRequest, type Operation } from '../load/operation.ts'
import type { Plan } from '../plan.ts'
import { assignVerifications, type BenchAssignment } from '../seed/assign-verifications.ts'
import { signedBy } from '../seed/bench-agent.ts'
import { capabilitiesOf } from '../seed/seed-agents.ts'
import type { Stage } from '../stage/start-stage.ts'
import { untilQuiet } from '../stage/until-quiet.ts'
import { inTurn, type Line, nothingLeft, overAndOver } from './line.ts'
import { names } from './names.ts'

const ENTRIES_A_PAGE = 100
const EVENTS_A_POLL = 20

/** Agents, their inboxes, the ledger and peer verification. */
export function registryLines(plan: Plan, { large, agents }: Stage): readonly Line[] {
  const line = (name: string, prepare: Line['prepare'], settled: Line['settled'] = nothingLeft): Line => ({
    name,
    server: large.server,
    connections: plan.connections,
    mostMs: plan.roundMs,
    prepare,
    settled,
  })
  const reading = (name: string, paths: readonly string[]): Line => {
    const operations = paths.map((path) => [{ bytes: encodeRequest({ method: 'GET', path }), status: 200 }])
    return line(name, async () => overAndOver(operations))
  }
  const polls = agents.map(({ id }) => `/v1/agents/${id}/events?limit=${EVENTS_A_POLL}`)
  const pages = Math.floor(plan.ledgerEntries / ENTRIES_A_PAGE)
  let rounds = 0
  return [
    reading(
      names.profile,
      agents.map(({ id }) => `/v1/agents/${id}`),
    ),
    reading(
      names.search,
      agents.map((_, nr) => `/v1/agents/search?capabilities=${capabilitiesOf(nr)[0]}&limit=20`),
    ),
    reading(
      names.chainPage,
      Array.from({ length: pages }, (_, nr) => `/v1/chain?limit=${ENTRIES_A_PAGE}&page=${nr + 1}`),
    ),
    line(names.eventPoll, async () => overAndOver(agents.map((agent, nr) => poll(agent, polls[nr] ?? '')))),
    line(
      names.report,
      async () => inTurn((await assignVerifications(large.database, agents, rounds++)).map(reportOn)),
      () => untilQuiet(large.database),
    ),
  ]
}

const poll = (agent: Stage['agents'][number], target: string): Operation => {
  const [path = ''] = target.split('?')
  const { headers = {} } = signedBy(agent, { method: 'GET', path })
  return [{ bytes: encodeRequest({ method: 'GET', path: target, headers }), status: 200 }]
}

function reportOn({ id, verifier, target, nonce }: BenchAssignment): Operation {
  const report: JsonObject = {
    assignment_id: id,
    target_id: target.id,
    result: 'pass',
    nonce,
    timestamp: new Date().toISOString(),
    coherence_score: 0.9,
    structured_report: { capability_match: 1, consistent_behavior: true },
  }
  const signature = sign(null, Buffer.from(documentMessage(report)), verifier.key).toString('base64')
  const request = signedBy(verifier, {
    method: 'POST',
    path: '/v1/verify/submit',
    body: JSON.stringify({ ...report, signature }),
  })
  return [{ bytes: encodeRequest(request), status: 200 }]
}
