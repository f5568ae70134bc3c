import type { SchemeNetworkClient } from '@x402/fetch'

/**
 * The official client dates a payment by the host's clock. If the sandbox's clock was moved, `Date.now` returns the sandbox's
 * time while the client signs.
 */
export function onSandboxTime(scheme: SchemeNetworkClient, offsetMs: number): SchemeNetworkClient {
  if (offsetMs === 0) return scheme
  return {
    scheme: scheme.scheme,
    ...(scheme.findDefaultAsset && { findDefaultAsset: scheme.findDefaultAsset }),
    async createPaymentPayload(version, requirements, context) {
      const hostNow = Date.now
      Date.now = () => hostNow() + offsetMs
      try {
        return await scheme.createPaymentPayload(version, requirements, context)
      } finally {
        Date.now = hostNow
      }
    },
  }
}
