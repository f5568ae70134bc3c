import { defineConfig } from 'vitest/config'

const tests = '{src,tests}/**/*.test.ts'

export default defineConfig({
  test: {
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What is waited for comes by itself, on a slow machine late.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // Files of a worker share what they have loaded, which is a sixth of all work; no module keeps what a story has done.
    isolate: false,
    setupFiles: 'scripts/seed-properties.mjs',
    // Real processes on real ports: now and then a free port is taken by somebody else before it is listened on.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: [`packages/server/${tests}`, 'tests/**/*.test.ts'],
          globalSetup: 'packages/server/tests/support/global-setup.ts',
        },
      },
      {
        extends: true,
        test: { name: 'parts', include: [`packages/!(server)/${tests}`] },
      },
    ],
  },
})
