import nodeModule from 'node:module'

// Nothing but Node's own is loaded before the version is known to do.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `ghyll-vault: Node 22.12 or newer is needed, this is ${process.versions.node} (${process.execPath})\n`
  )
  process.exitCode = 1
} else {
  nodeModule.enableCompileCache()
  process.exitCode = await main()
}

async function main(): Promise<number> {
  const { runVault } = await import('./program.ts')
  const stop = new AbortController()
  // A second signal ends the process at once, as it would have without us.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  return runVault(process.argv.slice(2), {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    stop: stop.signal
  })
}
