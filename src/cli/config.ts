import { safeJson, visibleLine } from '../lib/safe-text.ts'
import type { GhyllCommand } from './command.ts'
import { columns, printWarning } from './print.ts'
import type { CliContext, Subcommand } from './subcommand.ts'

/** `ghyll config show` and `ghyll config check` (CLI-011, CLI-012, CLI-032). */
export const configCommand: Subcommand = (program, context) => {
  const { act, io } = context
  const group = program.command('config').description('look at the configuration') as GhyllCommand
  group
    .command('show')
    .description('print what is in force and where it comes from, without keys')
    .option('--json', 'as JSON')
    .action(
      act(async (flags: { json?: true }) => {
        const { describeConfig } = await import('../config/show.ts')
        const description = describeConfig(await load(context), io.env)
        io.out(flags.json === true ? `${safeJson(description, { indent: 2 })}\n` : asText(description))
        return 0
      })
    )
  group
    .command('check')
    .description('read the configuration and list every problem')
    .action(
      act(async () => {
        await load(context)
        io.out('config ok\n')
        return 0
      })
    )
}

async function load({ io, handlers }: CliContext) {
  const [{ loadConfig }, checkKeys] = await Promise.all([import('../config/load.ts'), handlers.keyCheck()])
  const config = loadConfig({ env: io.env, checkKeys })
  for (const warning of config.warnings) printWarning(io, warning)
  return config
}

type Description = ReturnType<typeof import('../config/show.ts').describeConfig>

function asText({ path, models, sections, keys }: Description): string {
  const tables = [
    ...Object.entries(models).map(([name, values]) => [`models.${name}`, values] as const),
    ...Object.entries(sections)
  ].map(([name, values]) =>
    Object.entries(values).map(([key, shown]) => {
      const line = visibleLine(`${name}.${key}`)
      if (typeof shown === 'string') return [`${line}: ${shown}`]
      return [`${line}: ${visibleLine(text(shown.value))}`, shown.origin]
    })
  )
  const bound = Object.entries(keys).map(([action, names]) => [visibleLine(`keys.${action}: ${text(names)}`), 'file'])
  return [`config: ${visibleLine(path)}\n`, ...[...tables, bound].map(columns)].join('')
}

function text(value: string | number | boolean | readonly string[] | null): string {
  if (value === null) return '<unset>'
  if (typeof value === 'object') return value.length === 0 ? '<none>' : value.join(', ')
  return String(value)
}
