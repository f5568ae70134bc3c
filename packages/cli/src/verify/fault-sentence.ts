import type { ChainFault, ChainFaultReason } from '@guildhall/protocol'

const REASONS: Readonly<Record<ChainFaultReason, string>> = {
  wrong_sequence: 'does not carry the number that comes next',
  bad_genesis: 'is not what the first entry, and only the first, has to be',
  broken_link: 'does not name the hash of the entry before it',
  wrong_hash: 'does not hash to its own entry_hash',
  time_went_back: 'is dated before the entry in front of it',
  checkpoint_signature: 'bears a checkpoint that the registry’s key did not sign',
  checkpoint_entry: 'is not the entry that its checkpoint attests',
  checkpoint_root: 'bears a checkpoint with another Merkle root than the entries have',
  checkpoint_too_late: 'bears a checkpoint that was not shown with it',
  checkpoint_missing: 'should bear a checkpoint, and none is shown',
  checkpoint_beyond_end: 'is attested by a checkpoint, but was held back',
  entry_held_back: 'was held back: the service names a newest one that the list does not reach',
  newest_differs: 'has one hash in the list and another as the newest entry',
}

/** A ledger's fault in a sentence, with its entry. */
export const faultSentence = ({ sequence, reason }: ChainFault): string =>
  `Entry ${sequence} ${REASONS[reason]} (${reason}).`
