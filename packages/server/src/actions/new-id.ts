import { newId as makeId } from '@guildhall/protocol'
import type { World } from '../ports/world.ts'

export type IdPrefix =
  | 'task'
  | 'sub'
  | 'rcpt'
  | 'evt'
  | 'pev'
  | 'tr'
  | 'jrn'
  | 'str'
  | 'led'
  | 'bwd'
  | 'msg'
  | 'fb'
  | 'ver'
  | 'own'
  | 'ses'
  | 'mail'
  | 'treq'
  | 'lnk'

/** A fresh id that sorts by time. */
export const newId = ({ clock, random }: Pick<World, 'clock' | 'random'>, prefix: IdPrefix): string =>
  makeId(prefix, clock.now(), random.bytes(16))
