import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenOn } from '../http/listen-on.ts'
import { reachableUrl } from '../http/reachable-url.ts'
import type { Metrics } from './create-metrics.ts'

export type MetricsServer = { readonly url: string; stop(): Promise<void> }

type Place = { readonly host: string; readonly port: number }

/** Serves metrics on a port of their own, for the operators' network: none of this is public. */
export async function serveMetrics(metrics: Metrics, place: Place): Promise<MetricsServer> {
  const server = createServer(async ({ method, url }, response) => {
    if (method !== 'GET' || url !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': metrics.contentType }).end(await metrics.text())
  })
  await listenOn(server, place, 'GUILDHALL_METRICS_PORT')
  const { port } = server.address() as AddressInfo
  return {
    url: `${reachableUrl(place.host, port)}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
