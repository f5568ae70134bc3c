import { hexToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { vectorFiles } from '../scripts/vectors/vector-files.ts'
import { canonicalJson, hashDocument, type JsonObject } from '../src/ledger/canonical-json.ts'
import { checkpointMessage, type SignedCheckpoint, verifyCheckpoint } from '../src/ledger/checkpoint.ts'
import { entryHash, type LedgerEntry } from '../src/ledger/entry.ts'
import { ENTRY_DOCUMENTS } from '../src/ledger/entry-documents.ts'
import { ENTRY_TYPES, type EntryType } from '../src/ledger/entry-types.ts'
import { isReceiptInEntry, receiptHash, type SignedReceipt, verifyReceiptSignature } from '../src/ledger/receipt.ts'
import { type ChainFault, chainVerifier } from '../src/ledger/verify-chain.ts'
import { verifyConsistency, verifyInclusion } from '../src/ledger/verify-merkle-proof.ts'
import { normalizeAgentName } from '../src/names/agent-name.ts'
import {
  hashBody,
  isNonce,
  parseAgentAuthorization,
  parseTimestamp,
  verifyRequest,
} from '../src/signing/agent-signature.ts'
import { judgePayoutWalletMessage, judgeTaskActionMessage } from '../src/signing/judge-statement.ts'
import { provesWork } from '../src/signing/proof-of-work.ts'
import { agentIdOf, decodePublicKey, parsePublicKey } from '../src/signing/public-key.ts'
import { documentMessage, verifyDocument } from '../src/signing/signed-document.ts'
import { decodeWalletMessage } from '../src/signing/wallet-message-header.ts'
import type { TaskAction } from '../src/signing/wallet-statement.ts'
import { type Cases, readVectors, vectorNames, vectorText } from './read-vectors.ts'

describe('the files', () => {
  const printed = vectorFiles()

  test('are all printed by the script', () => {
    expect(vectorNames().toSorted()).toEqual(Object.keys(printed).toSorted())
  })

  test.each(Object.entries(printed))('%s is what the script prints', (name, text) => {
    expect(vectorText(name)).toBe(text)
  })
})

type Verdict = {
  readonly name?: string
  readonly valid: boolean
}

/** Every case of a file has its verdict, and there are cases of both kinds. */
function eachCase<Case extends Verdict>(file: string, holds: (vector: Case) => boolean): void {
  const { cases } = readVectors<Cases<Case>>(file)
  const verdicts = cases.map((vector) => ({ ...vector, valid: holds(vector) }))
  expect(verdicts).toEqual(cases)
  expect(new Set(cases.map((vector) => vector.valid))).toEqual(new Set([true, false]))
}

const keyBytes = (text: string): Uint8Array => decodePublicKey(text) ?? new Uint8Array()

describe('every vector has its verdict', () => {
  test('public keys are read or refused', () => {
    eachCase<Verdict & { public_key: string; agent_id?: string }>('public-keys.json', (vector) => {
      if (vector.valid) expect(agentIdOf(vector.public_key)).toBe(vector.agent_id)
      return parsePublicKey(vector.public_key) !== null
    })
  })

  test('agent signatures verify or do not', () => {
    interface Request extends Verdict {
      readonly method: string
      readonly path: string
      readonly body: string
      readonly headers: { readonly Authorization: string; readonly 'X-Timestamp': string; readonly 'X-Nonce'?: string }
    }
    eachCase<Request>('agent-signatures.json', ({ method, path, body, headers }) => {
      const authorization = parseAgentAuthorization(headers.Authorization)
      const timestamp = parseTimestamp(headers['X-Timestamp'])
      const nonce = headers['X-Nonce']
      if (authorization === null || timestamp === null || (nonce !== undefined && !isNonce(nonce))) return false
      return verifyRequest(authorization, { method, path, timestamp, bodyHash: hashBody(body), nonce })
    })
  })

  test('JSON is written canonically or refused', () => {
    eachCase<Verdict & { json: string; canonical?: string; sha256?: string }>('canonical-json.json', (vector) => {
      const value = JSON.parse(vector.json)
      if (!vector.valid) expect(() => canonicalJson(value)).toThrow()
      return vector.valid && canonicalJson(value) === vector.canonical && hashDocument(value) === vector.sha256
    })
  })

  test('entry hashes follow from their entries or do not', () => {
    eachCase<Verdict & { entry: LedgerEntry }>(
      'entry-hashes.json',
      ({ entry }) => entryHash(entry) === entry.entry_hash,
    )
  })

  test('entry documents are whole and hash to what the entry commits to, or do not', () => {
    interface Committed extends Verdict {
      readonly entry_type: EntryType
      readonly document: JsonObject
      readonly profile_hash: string
    }
    eachCase<Committed>('entry-documents.json', ({ entry_type, document, profile_hash }) => {
      const { fields } = ENTRY_DOCUMENTS[entry_type]
      const isWhole = fields === null || fields.toSorted().join() === Object.keys(document).toSorted().join()
      return isWhole && hashDocument(document) === profile_hash
    })
    const { cases } = readVectors<Cases<Committed>>('entry-documents.json')
    expect([...new Set(cases.map(({ entry_type }) => entry_type))]).toEqual([...ENTRY_TYPES])
  })

  test('receipts are signed and in their entries, or not', () => {
    interface Receipt extends Verdict {
      readonly receipt: SignedReceipt
      readonly entry: LedgerEntry
      readonly receipt_hash?: string
    }
    eachCase<Receipt>('receipts.json', ({ receipt, entry, receipt_hash, valid }) => {
      if (valid) expect(receiptHash(receipt)).toBe(receipt_hash)
      return verifyReceiptSignature(receipt) && isReceiptInEntry(receipt, entry)
    })
  })

  test('checkpoints are signed by the registry or are not', () => {
    interface Attested extends Verdict {
      readonly public_key: string
      readonly checkpoint: SignedCheckpoint
      readonly message?: string
    }
    eachCase<Attested>('checkpoints.json', ({ public_key, checkpoint, message }) => {
      if (message !== undefined) expect(checkpointMessage(checkpoint)).toBe(message)
      return verifyCheckpoint(keyBytes(public_key), checkpoint)
    })
  })

  test('signed documents verify or do not', () => {
    interface Signed extends Verdict {
      readonly public_key: string
      readonly document: JsonObject
      readonly message?: string
    }
    eachCase<Signed>('signed-documents.json', ({ public_key, document, message }) => {
      if (message !== undefined) expect(documentMessage(document)).toBe(message)
      return verifyDocument(keyBytes(public_key), document)
    })
  })

  test('proofs of work reach their difficulty or do not', () => {
    eachCase<Verdict & { public_key: string; nonce: string; difficulty: number }>('proof-of-work.json', (vector) =>
      provesWork(keyBytes(vector.public_key), vector.nonce, vector.difficulty),
    )
  })

  test('agent names are normalized or refused', () => {
    eachCase<Verdict & { input: string; problem?: string; key?: string }>(
      'agent-names.json',
      ({ input, valid, ...expected }) => {
        expect(normalizeAgentName(input)).toEqual(expected)
        return valid
      },
    )
    const { cases } = readVectors<Cases<{ name?: string; key?: string }>>('agent-names.json')
    const [scope, nike] = ['Scope', 'NIKE'].map((name) => cases.find((vector) => vector.name === name)?.key)
    expect(scope).not.toBe(nike)
  })
})

test('every ledger has its fault', () => {
  type Chain = {
    readonly name: string
    readonly entries: readonly LedgerEntry[]
    readonly checkpoints: readonly SignedCheckpoint[]
    readonly fault: ChainFault | null
  }
  for (const { name, entries, checkpoints, fault } of readVectors<Cases<Chain>>('chain.json').cases) {
    const verifier = chainVerifier(checkpoints)
    for (const entry of entries) verifier.add(entry)
    expect(verifier.finish(), name).toEqual(fault)
  }
})

test('every Merkle proof has its verdict', () => {
  type Merkle = {
    readonly inclusion: readonly {
      entry_hash: string
      sequence: number
      tree_size: number
      root_hash: string
      proof: string[]
      valid: boolean
    }[]
    readonly consistency: readonly {
      from: number
      to: number
      from_root_hash: string
      to_root_hash: string
      proof: string[]
      valid: boolean
    }[]
  }
  const { inclusion, consistency } = readVectors<Merkle>('merkle.json')
  for (const vector of inclusion) {
    const { entry_hash, sequence, tree_size, root_hash, proof } = vector
    const claim = { entryHash: entry_hash, leafIndex: sequence - 1, treeSize: tree_size, root: hexToBytes(root_hash) }
    expect(verifyInclusion(claim, proof.map(hexToBytes)), JSON.stringify(vector)).toBe(vector.valid)
  }
  for (const vector of consistency) {
    const first = { size: vector.from, root: hexToBytes(vector.from_root_hash) }
    const second = { size: vector.to, root: hexToBytes(vector.to_root_hash) }
    expect(verifyConsistency(first, second, vector.proof.map(hexToBytes)), JSON.stringify(vector)).toBe(vector.valid)
  }
})

test('every wallet message has its reason', () => {
  type Expected = {
    readonly service_name: string
    readonly wallet: string
    readonly network: string
    readonly now: number
    readonly agent_id: string
    readonly task_id: string
    readonly action: TaskAction
  }
  type Message = {
    readonly name: string
    readonly message: string
    readonly expected: Expected
    readonly reason: string | null
  }
  type WalletMessages = {
    readonly payout_wallet: readonly Message[]
    readonly task_action: readonly Message[]
    readonly headers: readonly { readonly message: string; readonly 'X-Wallet-Message': string }[]
  }
  const { payout_wallet, task_action, headers } = readVectors<WalletMessages>('wallet-messages.json')
  const common = ({ service_name, wallet, network, now }: Expected) => ({
    serviceName: service_name,
    wallet,
    network,
    nowMs: now * 1000,
  })
  const reasonOf = (judgement: object): unknown => ('reason' in judgement ? judgement.reason : null)
  for (const { name, message, expected, reason } of payout_wallet) {
    const judgement = judgePayoutWalletMessage(message, { ...common(expected), agentId: expected.agent_id })
    expect(reasonOf(judgement), name).toBe(reason)
  }
  for (const { name, message, expected, reason } of task_action) {
    const { task_id: taskId, action } = expected
    expect(reasonOf(judgeTaskActionMessage(message, { ...common(expected), taskId, action })), name).toBe(reason)
  }
  for (const header of headers) expect(decodeWalletMessage(header['X-Wallet-Message'])).toBe(header.message)
})
