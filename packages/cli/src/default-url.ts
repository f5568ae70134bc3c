export const DEFAULT_PORT = '8787'
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`
