import type { AddressInfo } from 'node:net'
import type { FacilitatorConfig, FromChild, Order, ToChild } from './control-messages.ts'
import { createFaultSwitch } from './fault.ts'
import { moveDate } from './moved-date.ts'
import { createOfficialFacilitator } from './official-facilitator.ts'
import { serveFacilitator } from './serve-facilitator.ts'

const setClockOffset = moveDate()
let faultNumber = 0
const faults = createFaultSwitch((callsLeft) => tell({ kind: 'fault-spent', faultNumber, callsLeft }))

process.on('message', (message: ToChild) => {
  if (message.kind === 'start') start(message.config)
  else {
    obey(message.order)
    tell({ kind: 'done', id: message.id })
  }
})
// The channel closes when the parent ends, however it ends.
process.on('disconnect', () => process.exit(0))
// Ctrl-C reaches the whole process group, but the parent decides when this process ends.
process.on('SIGINT', () => undefined)

function start(config: FacilitatorConfig): void {
  obey({ kind: 'set-clock', ...config })
  obey({ kind: 'set-fault', ...config })
  const facilitator = createOfficialFacilitator(config)
  const server = serveFacilitator(facilitator, faults)
  server.listen(config.port, '127.0.0.1', () => {
    tell({ kind: 'ready', port: (server.address() as AddressInfo).port, address: facilitator.address })
  })
}

function obey(order: Order): void {
  if (order.kind === 'set-clock') setClockOffset(order.clockOffsetMs)
  else {
    faultNumber = order.faultNumber
    faults.set(order)
  }
}

function tell(message: FromChild): void {
  process.send?.(message)
}
