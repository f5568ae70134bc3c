import type { Place } from './place.ts'

/** For a small machine; a caller's settings override these. */
const usual: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  // Allocated as it is used; the indexes of a board of a million tasks do not fit into much less.
  shared_buffers: '256MB',
  max_connections: '100',
  // Parallel queries need more shared memory than a container gives, and gain little on two cores.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '[%p] ',
  log_checkpoints: 'off',
}

export function serverArguments(place: Place, settings: Readonly<Record<string, string>>): readonly string[] {
  const fixed = {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: place.socketDir,
    unix_socket_permissions: '0700',
    cluster_name: place.name,
  }
  const all = Object.entries({ ...usual, ...settings, ...fixed })
  return ['-D', place.cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
