// Some tests look at pages in a real browser: Chromium, which is not an npm package.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Tests without a browser are better than waiting for a package forever. */
const MOST_MS = 5 * 60_000

const hasBrowser = () => Boolean(process.env.CHROMIUM) || PLACES.some((path) => existsSync(path))

/** Installs a browser if there is none, on Debian as root. Without one, the tests that need it are skipped. */
export function ensureBrowser() {
  if (hasBrowser()) return
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    console.log('No Chromium here: tests in a browser are skipped. Install one, or name it with CHROMIUM=/path.')
    return
  }
  console.log('No Chromium here: installing Debian’s for the tests in a browser (once; about 300 MB) …')
  const install = () => apt('install', '-y', '--no-install-recommends', 'chromium')
  if (!install()) {
    apt('update')
    install()
  }
  if (!hasBrowser()) console.log('Chromium could not be installed: tests in a browser are skipped.')
}

/** Says nothing unless it fails. */
function apt(...words) {
  const done = spawnSync('apt-get', ['-q', ...words], {
    encoding: 'utf8',
    timeout: MOST_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (done.status === 0) return true
  console.log((done.stderr || String(done.error ?? '')).trim().split('\n').slice(-3).join('\n'))
  return false
}
