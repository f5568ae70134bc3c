export { generateKey, parseUsdc } from '@guildhall/protocol'
export type { Answer, Body, Call, CallOptions, CallRequest, PaidCallOptions, Params, Query } from './call-types.ts'
export { createGuildhall, type Guildhall } from './create-guildhall.ts'
export type { StreamedEvent } from './event-stream.ts'
export {
  GuildhallError,
  type GuildhallErrorCode,
  type GuildhallErrorOf,
  isGuildhallError,
} from './guildhall-error.ts'
export type { LocalErrorCode, PaymentNotMadeReason } from './local-errors.ts'
export type { Manager } from './manager.ts'
export type { Pay } from './payment/pay.ts'
export type { TextWallet, Wallet } from './payment/wallet.ts'
export type { ReceiptVerdict } from './receipts.ts'
export type { Profile } from './register-agent.ts'
export type { GuildhallOptions } from './settings.ts'
export type { TestDelivery } from './testing.ts'
export type { PeerAssignment, PeerFindings } from './verify-peer.ts'
export { verifyWebhook, type WebhookCall, type WebhookVerdict } from './verify-webhook.ts'
