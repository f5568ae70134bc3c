/** For commands whose answer a program may read. */
export const jsonOption = ['--json', 'answer in JSON'] as const

export type Format = { readonly json?: boolean | undefined }
