const CONSOLE = /^\/console(?:\/[A-Za-z0-9._~-]+)*(?:\?[A-Za-z0-9._~%&=+-]*)?$/

/** The text if it is a console path; null for anything that could lead elsewhere. */
export const consolePath = (text: string | null | undefined): string | null =>
  text !== null && text !== undefined && text.length <= 500 && CONSOLE.test(text) && !/\/\.\.?(?:[/?]|$)/.test(text)
    ? text
    : null
