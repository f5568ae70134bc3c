export { readSettings } from './config/read-settings.ts'
export { reachableUrl } from './http/reachable-url.ts'
export { startService } from './start-service.ts'
