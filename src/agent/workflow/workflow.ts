import type { CommandInfo } from '../../protocol/command.ts'
import type { NoticeLevel } from '../../protocol/event.ts'
import { type Composition, composePrompt, type Instructions } from './compose.ts'
import { type FileCommand, type Found, findWorkflow, type Places } from './find.ts'

export type WorkflowOptions = Places & {
  /** `workflow.instruction_budget_tokens`, 0 for no limit. */
  readonly budgetTokens: number
  /** One line for the log file. */
  readonly log: (line: string) => void
}

export type WorkflowNotice = { readonly level: Extract<NoticeLevel, 'info' | 'warning'>; readonly text: string }

/** Instructions and commands of one session; what `WorkflowPort` of the session asks for, and the notices of the last reading. */
export interface Workflow {
  /** Where it came from (CTX-104), what was not read (CTX-103), and which command hides another (CTX-121). Without glyphs. */
  notices(): readonly WorkflowNotice[]
  instructions(): Instructions
  /** File commands, a project's before a global one of the same name, in alphabetical order (CTX-121, CTX-127). */
  commands(): readonly CommandInfo[]
  compose(parts: {
    readonly base: string
    readonly overlay: string | null
    readonly count: (text: string) => number
  }): Composition
  expand(name: string, args: string): string | null
  /** Reads the files again; what is to be said of that is in `notices`. */
  reload(): Promise<void>
}

/** Reads instructions and commands once (CTX-103). Never rejects: what cannot be read is a notice. */
export async function openWorkflow(options: WorkflowOptions): Promise<Workflow> {
  let found: Found
  let commands: ReadonlyMap<string, FileCommand>
  const instructions = (): Instructions => ({
    global: found.global.instructions,
    project: found.project.instructions
  })
  const read = async () => {
    found = await findWorkflow(options)
    commands = new Map([...found.global.commands, ...found.project.commands].map((command) => [command.name, command]))
    for (const file of found.ignored) options.log(`workflow: ${file} makes no command name, ignored`)
  }
  await read()

  return {
    notices: () => noticesOf(found),
    instructions,
    commands: () =>
      [...commands.values()]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, text, source, from }) => ({
          name,
          description: text.split('\n', 1)[0] ?? '',
          source,
          from
        })),
    compose: (parts) => composePrompt({ ...parts, instructions: instructions() }, options.budgetTokens),
    expand(name, args) {
      const command = commands.get(name.toLowerCase())
      return command === undefined ? null : fillIn(command.text, args.trim())
    },
    reload: read
  }
}

/** The text of a command with its arguments: in place of `$ARGUMENTS`, else as a last paragraph (CTX-124). */
function fillIn(text: string, args: string): string {
  // A function, because `$&` and the like in the arguments are to stay what they are.
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? text : `${text}\n\nArguments: ${args}`
}

function noticesOf(found: Found): readonly WorkflowNotice[] {
  const own = new Map(found.project.commands.map((command) => [command.name, command]))
  const { instructions, commands } = found.project
  // A folder whose files were all refused, or that holds none, gave nothing.
  const isEmpty = instructions === '' && commands.length === 0
  const loaded = found.projectFolder === null || isEmpty ? [] : [`workflow loaded from ${found.projectFolder}/`]
  const hidden = found.global.commands.flatMap(({ name, from }) => {
    const by = own.get(name)
    return by === undefined ? [] : [`command /${name} from ${from} is shadowed by ${by.from}`]
  })
  return [
    ...loaded.map((text): WorkflowNotice => ({ level: 'info', text })),
    ...found.warnings.map((text): WorkflowNotice => ({ level: 'warning', text })),
    ...hidden.map((text): WorkflowNotice => ({ level: 'info', text }))
  ]
}
