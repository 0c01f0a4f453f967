import type { PromptAnswer } from './gate-prompt.ts'
import type { Subject } from './gate-view.ts'
import type { RequestId } from './ids.ts'

/** How typed text reaches the model: `steer` at the next step boundary, `queue` after the turn (SESS-032). */
export type Delivery = 'steer' | 'queue'

/** What someone asks for. Commands go one way, events the other; nothing is returned to the caller. */
export type Command =
  | SessionCommand
  /** Goes to the gate at once, even while a model streams; a refusal comes back as `gate-refused` or `prompt-refused`. */
  | GateCommand
  /** Questions of the screen about the world outside it; each is answered by a transient event with the same request id. */
  | ScreenRequest

export type SessionCommand =
  /** A typed line or text: words for the model, a `/command` or a `!shell line`. */
  | { readonly kind: 'submit'; readonly text: string; readonly delivery: Delivery }
  /** Enter on an empty field: take up what waits in a held session (SESS-092). */
  | { readonly kind: 'take-up' }
  /** Removes a pending row from the inbox so that its text can be edited again (TERM-46). */
  | { readonly kind: 'take-back'; readonly request: RequestId; readonly seq: number }
  /** Esc or Ctrl+C while something runs (TERM-45). */
  | { readonly kind: 'interrupt' }
  /** Leave the program in order (SESS-140). */
  | { readonly kind: 'leave'; readonly reason: 'exit' | 'signal' }

export type GateCommand =
  | PromptAnswer
  /** As `/run-arrow <id>` (OPUI-720). */
  | { readonly kind: 'run-arrow'; readonly arrow: string }
  | { readonly kind: 'invalidate-arrow'; readonly arrow: string; readonly reason: string }
  | { readonly kind: 'abort-pass'; readonly pass: string }
  /** The operator's own transitions of a finding (RUN-511). */
  | {
      readonly kind: 'settle-finding'
      readonly finding: string
      readonly to: 'accepted-risk' | 'resolved' | 'open'
      readonly reason: string
    }
  /** Opens the prompts for what waits: all of it, or one item (OPUI-403, 704). */
  | { readonly kind: 'present-verdicts'; readonly item: string | null }
  /** Nothing of the queue is asked again in this turn (OPUI-731). */
  | { readonly kind: 'skip-verdicts' }
  /** As `/op-id <identity>`; answered by `op-id-answered` (OPUI-407). */
  | { readonly kind: 'set-op-id'; readonly opId: string }
  /** A closer look at something in a panel, answered by `inspected`; asked again whenever the gate has changed. */
  | { readonly kind: 'inspect'; readonly request: RequestId; readonly subject: Subject }
  /** Texts of `path:line[-line]` places, read-only (OPUI-740 `e`), answered by `places-read`. */
  | { readonly kind: 'read-places'; readonly request: RequestId; readonly places: readonly string[] }

export type ScreenRequest =
  /** Paths that could complete `prefix`, relative to the working directory, ignoring what git ignores (TERM-42). */
  | { readonly kind: 'complete-path'; readonly request: RequestId; readonly prefix: string }
  /** The prompt history and draft of this repository (TERM-41), newest last. */
  | { readonly kind: 'load-prompt-history'; readonly request: RequestId }
  | { readonly kind: 'remember-prompt'; readonly text: string }
  | { readonly kind: 'save-draft'; readonly text: string }
  /** Transcript entries older than those the screen holds (TERM-15). */
  | { readonly kind: 'load-older'; readonly request: RequestId; readonly before: string; readonly limit: number }
  /** Text for the clipboard (TERM-23). */
  | { readonly kind: 'copy'; readonly request: RequestId; readonly text: string }
  /** Runs the pager or editor on `text`; the screen has given the terminal away before it asks (TERM-24, TERM-47). */
  | {
      readonly kind: 'open-pager'
      readonly request: RequestId
      readonly text: string
      /** The entry before which the screen holds no more; what is on disk of it goes in front of `text` (TERM-15). */
      readonly before: string | null
    }
  | { readonly kind: 'open-editor'; readonly request: RequestId; readonly text: string }
  /** An error inside a component, for the log file (TERM-7). */
  | { readonly kind: 'report-screen-error'; readonly message: string }

/** Built-in or file command, as completion and help list it (CTX-127). */
export type CommandInfo = {
  readonly name: string
  readonly description: string
  readonly source: 'built-in' | 'project' | 'global'
  /** Folder of a file command as people know it, such as `.claude/commands` (CTX-121). */
  readonly from?: string
}

const gateKinds = {
  attest: true,
  'answer-escalation': true,
  'answer-risk': true,
  'declare-arrow': true,
  'refuse-arrow': true,
  'settle-amendment': true,
  bind: true,
  'skip-prompt': true,
  'cancel-prompt': true,
  'run-arrow': true,
  'invalidate-arrow': true,
  'abort-pass': true,
  'settle-finding': true,
  'present-verdicts': true,
  'skip-verdicts': true,
  'set-op-id': true,
  inspect: true,
  'read-places': true
} satisfies Record<GateCommand['kind'], true>

/** Whether a command is the gate's; all others are the session's or the screen's own. */
export function isGateCommand(command: Command): command is GateCommand {
  return command.kind in gateKinds
}
