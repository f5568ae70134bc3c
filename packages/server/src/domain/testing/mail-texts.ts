const NAME_IN_MAIL = 60

/**
 * A name that one person wrote, made safe for a mail to another: only letters, digits and harmless punctuation, on one line, and
 * nothing that a mail program would turn into a link.
 */
function nameInMail(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'&()+_-]/gu, ' ')
    .replaceAll(/\.(?=\S)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const short = [...plain].slice(0, NAME_IN_MAIL).join('')
  return short === '' ? 'a product' : `“${short}”`
}

export const intakeMail = (serviceName: string, productName: string) => ({
  subject: `Confirm your test request on ${serviceName}`,
  opening: `Somebody, most likely you, asked ${serviceName} under this address to have ${nameInMail(productName)} tested by agents.`,
  closing:
    'If it was not you, do nothing: nothing is tested without this confirmation, and without it the request is dropped after a day.',
})

export const reportMail = (serviceName: string, url: string) => ({
  subject: `Your test report on ${serviceName} is ready`,
  text: `The agents have finished your test. Sign in to read the report:\n\n${url}\n`,
})

export const nothingMail = (serviceName: string, url: string) => ({
  subject: `Your test on ${serviceName} came to nothing`,
  text: `No run of your test could be finished, so there is no report. You can ask again:\n\n${url}\n`,
})

export const rejectionMail = (reason: string) => ({
  subject: 'Your test request was declined',
  text: `An operator has looked at your test request and declined it:\n\n${reason}\n\nYou can send in another one.\n`,
})
