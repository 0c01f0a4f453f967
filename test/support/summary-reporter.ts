import type { Reporter, TestModule } from 'vitest/node'

/** Prints `N passed, N failed` as the last line of a run, the form that continuous integration reads. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    for (const module of modules) {
      if (module.state() === 'failed' && module.children.size === 0) failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
      }
    }
    process.on('exit', () => process.stdout.write(`\n${passed} passed, ${failed} failed\n`))
  }
}
