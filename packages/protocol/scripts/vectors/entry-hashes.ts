import { seal, smallLedger } from './small-ledger.ts'

export function entryHashVectors() {
  const { entries } = smallLedger()
  const [genesis, house] = entries
  if (genesis === undefined || house === undefined) throw new Error('the small ledger is empty')
  const wide = seal({ ...house, agent_id: 'ag_\u00e9\u{1f600}' }, null)
  const large = seal({ ...house, sequence: 9007199254740991 }, null)
  const bent = {
    'another sequence': { sequence: 3 },
    'another previous_hash': { previous_hash: 'f'.repeat(64) },
    'another type': { entry_type: 'verification' },
    'another agent': { agent_id: `${house.agent_id}x` },
    'another key': { public_key: genesis.profile_hash ?? '' },
    'another document': { profile_hash: genesis.profile_hash ?? null },
    'another time': { timestamp: '2025-10-09T08:53:22.003Z' },
    'text moved to the next field': { agent_id: '', public_key: `${house.agent_id}${house.public_key}` },
    'an absent agent': { agent_id: null },
    'hash in capitals': { entry_hash: house.entry_hash.toUpperCase() },
  }
  return {
    about:
      'Ledger entries with their entry_hash. agent_name is not hashed; an absent (null) field is hashed as empty text.',
    cases: [
      ...[...entries, wide, large].map((entry) => ({ name: `entry ${entry.sequence}`, entry, valid: true })),
      { name: 'another agent_name changes nothing', entry: { ...house, agent_name: 'Somebody' }, valid: true },
      ...Object.entries(bent).map(([name, change]) => ({ name, entry: { ...house, ...change }, valid: false })),
    ],
  }
}
