import { type CliIo, type Handlers, runCli } from '../cli/index.ts'
import { loadConfig } from '../config/index.ts'
import type { DemoHost } from '../demo/index.ts'
import { systemClock } from '../lib/clock.ts'
import type { Command } from '../protocol/command.ts'
import { createBus } from './bus.ts'
import { declareDemoGates } from './demo-gates.ts'
import { openProgram } from './program.ts'
import { run } from './run.ts'
import { start } from './start.ts'

/** Opens the demo's sessions the way any session is opened, with the demo's environment in place of the visitor's. */
export function createDemoHost(io: CliIo, host: NodeJS.Process, handlers: Handlers): DemoHost {
  const clock = systemClock()
  return {
    openScreen(place, greeting) {
      return run({
        dir: place.project,
        model: null,
        throwAway: { greeting },
        config: loadConfig({ env: place.env }),
        env: place.env,
        clock,
        stdin: host.stdin,
        stdout: host.stdout,
        print: (line) => io.out(`${line}\n`),
        printError: (line) => io.err(`${line}\n`)
      })
    },

    declareGates: (project, env) => declareDemoGates(project, env, 'visitor@example.com'),

    async command(place, args) {
      let out = ''
      const write = (text: string) => {
        out += text
      }
      const code = await runCli(args, handlers, { ...io, out: write, err: write, env: place.env, cwd: place.project })
      return { code, out }
    },

    async openSession(place) {
      const started = start({
        dir: place.project,
        model: null,
        config: loadConfig({ env: place.env }),
        env: place.env,
        clock
      })
      const bus = createBus((thrown) => started.log.error(String(thrown)))
      const program = await openProgram(started, bus, { asking: 'screen' })
      return {
        subscribe: bus.subscribe,
        dispatch: (command: Command) => program.dispatch(command),
        ended: program.ended.then(({ exitCode }) => exitCode).finally(() => started.release())
      }
    }
  }
}
