import { defineConfig } from 'vitest/config'

const tests = '{src,tests}/**/*.test.ts'

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
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
