import type { Exchange } from '../exchange.ts'
import { CallerGoneError } from '../read-body.ts'
import type { Door, Place } from './door.ts'

/** Runs the work once a slot is free: synchronously where one is. */
export function takePlace(exchange: Exchange, door: Door, ip: string, work: () => Promise<void>): Promise<void> {
  const place = door.enter(ip)
  if (place instanceof Promise) return standInLine(exchange, place, work)
  exchange.place = place
  return work()
}

async function standInLine(exchange: Exchange, place: Promise<Place>, work: () => Promise<void>): Promise<void> {
  exchange.place = await place
  if (exchange.request.socket.destroyed) throw new CallerGoneError()
  return work()
}
