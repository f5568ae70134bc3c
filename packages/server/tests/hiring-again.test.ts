import { randomUUID } from 'node:crypto'
import { decodePaymentRequired, wrapFetchWithPayment, x402Client } from './support/stock-client.ts'
