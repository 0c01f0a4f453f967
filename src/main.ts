import nodeModule from 'node:module'
import v8 from 'node:v8'

// The entry loads nothing but Node's own, so that an old Node says why it cannot go on, and so that everything behind it is
// compiled with the cache already on (TERM-70).

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`ghyll: Node 22.12 or newer is needed, this is ${process.versions.node} (${process.execPath})\n`)
  process.exitCode = 1
} else {
  // The heap may grow to twice what lives in it instead of several times that: a long transcript takes 25 MB less for 2 % more work
  // (TERM-73). V8 prints an error about a flag it does not know, so only where it is known.
  if (major <= 24) v8.setFlagsFromString('--heap-growing-percent=100')
  nodeModule.enableCompileCache()
  process.exitCode = await main()
}

async function main(): Promise<number> {
  const [{ processIo, runCli }, { createHandlers }] = await Promise.all([
    import('./cli/index.ts'),
    import('./app/handlers.ts')
  ])
  const io = processIo()
  try {
    return await runCli(process.argv.slice(2), createHandlers(io, process), io)
  } catch (error) {
    // A bug's message may quote what came from outside (TERM-30).
    const { visibleText } = await import('./lib/safe-text.ts')
    io.err(
      `ghyll: internal error: ${visibleText(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`
    )
    return 1
  }
}
