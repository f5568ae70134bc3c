/** Where a sandbox keeps everything. */
export const sandboxDataDir = (): string => process.env.GUILDHALL_DATA_DIR || './.guildhall'
