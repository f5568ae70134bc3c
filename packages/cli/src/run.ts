import { DataDirInUseError } from '@guildhall/sandbox/owner-lock'
import { isGuildhallError } from '@guildhall/sdk'
import {
  CannotListenError,
  ChangedMigrationError,
  DamagedRecordError,
  LedgerBehindError,
  missingRightIn,
  PortTakenError,
  Refusal,
  SettingsError,
  StoreUnavailableError,
} from '@guildhall/server/desk'
import { PlainError } from './plain-error.ts'
import { printable } from './printable.ts'
import { DoesNotHoldError } from './verify/does-not-hold-error.ts'

/** Exit codes: 1 a fault, 2 wrong settings of a node, 3 something is already in use, 6 something published does not hold. */
export async function run(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const sentence = sentenceOf(error)
    console.error(sentence === null ? error : printable(sentence))
    // The code with which a service of ours has ended says more.
    process.exitCode ??= exitCodeOf(error)
  }
}

const sentenceOf = (error: unknown): string | null =>
  error instanceof Error && isPlain(error) ? error.message : missingRightIn(error)

const isPlain = (error: Error): boolean =>
  error instanceof SettingsError ||
  error instanceof DataDirInUseError ||
  error instanceof PortTakenError ||
  error instanceof CannotListenError ||
  error instanceof ChangedMigrationError ||
  error instanceof DamagedRecordError ||
  error instanceof DoesNotHoldError ||
  error instanceof LedgerBehindError ||
  error instanceof PlainError ||
  error instanceof Refusal ||
  error instanceof StoreUnavailableError ||
  isGuildhallError(error)

function exitCodeOf(error: unknown): number {
  if (error instanceof SettingsError) return 2
  if (error instanceof DoesNotHoldError) return 6
  return error instanceof DataDirInUseError || error instanceof PortTakenError ? 3 : 1
}
