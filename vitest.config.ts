import { defineConfig } from 'vitest/config'

// `fast` is what `npm run check` runs: pure code and components. `full` adds real processes and terminals, which need the
// built program. `soak` runs the same long tests as `full`, with large numbers under GHYLL_SOAK; so do the laws of `fast`.
const isLong = (process.env.GHYLL_SOAK ?? '') !== ''
const slow = ['test/process/**/*.test.{ts,tsx}', 'test/terminal/**/*.test.{ts,tsx}']

export default defineConfig({
  // The bundler embeds these files as text (build.config.ts, src/lib/text-modules.d.ts); tests see the same.
  plugins: [
    {
      name: 'files-as-text',
      transform(code, id) {
        return /\.(md|toml|yaml)$/.test(id) ? { code: `export default ${JSON.stringify(code)}`, map: null } : null
      }
    }
  ],
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    pool: 'forks',
    globalSetup: ['./test/support/temporary-root.ts'],
    projects: [
      {
        extends: true,
        // A limit for what hangs, wide enough for a machine that is busy with something else.
        test: {
          name: 'fast',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...slow, 'test/**/*.soak.test.ts'],
          testTimeout: isLong ? 3_600_000 : 120_000
        }
      },
      {
        extends: true,
        test: { name: 'full', include: slow, testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false }
      },
      {
        extends: true,
        test: {
          name: 'soak',
          include: ['test/**/*.soak.test.ts'],
          testTimeout: isLong ? 3_600_000 : 120_000
        }
      }
    ]
  }
})
