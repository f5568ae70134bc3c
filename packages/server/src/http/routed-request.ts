import type { RequestTarget } from './request-target.ts'

/** A request whose endpoint or page has been found. */
export type RoutedRequest<Route> = {
  readonly route: Route
  readonly target: RequestTarget
  /** The parts of the path that the route's parameters stand for. */
  readonly segments: readonly string[]
  readonly ip: string
}
