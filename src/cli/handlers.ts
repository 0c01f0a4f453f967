import type { KeyCheck } from '../config/keys.ts'
import type { Config } from '../config/types.ts'

// What the command line asks of the program behind it. `src/app` supplies it; importing it loads nothing heavy, each of its
// functions loads what it needs.

export type RunOptions = {
  /** Absolute path of an existing folder. */
  readonly dir: string
  /** `--model`: locks routing and disables fallback (CLI-030). */
  readonly model: string | null
  readonly resume: boolean
  /** false: line mode, `--no-tui` (CLI-031). */
  readonly tui: boolean
  readonly screenReader: boolean
}

export type ExecOptions = {
  /** Not blank; begins with `/` for a command (CLI-034). */
  readonly prompt: string
  readonly dir: string
  readonly model: string | null
  readonly resume: boolean
  readonly json: boolean
  /** Model calls of the turn, at least 1; null without the flag. */
  readonly maxTurns: number | null
}

/** CLI-035 */
export type DemoOptions =
  | { readonly kind: 'tour'; readonly auto: boolean }
  /** `port` null: any free one. */
  | { readonly kind: 'serve'; readonly port: number | null }

/** Resolve to the exit code (CLI-002). A `Failure` they reject with is printed and ends in 1. */
export interface Handlers {
  run(options: RunOptions): Promise<number>
  exec(options: ExecOptions): Promise<number>
  demo(options: DemoOptions): Promise<number>
  /** The screen's check of `[keys]`, for `config show` and `config check`. */
  keyCheck(): Promise<KeyCheck>
  /** Checks that need more than the configuration, such as the embedder's dimension (CLI-022). */
  doctorChecks(config: Config): Promise<readonly DoctorCheck[]>
}

export type DoctorCheck = { readonly name: string; run(): Promise<DoctorResult> }

/** `note` is worth knowing and no fault. The text never holds a key. */
export type DoctorResult = { readonly status: 'ok' | 'note' | 'failed'; readonly text: string }
