import { Text } from 'ink'
import { Component, type ReactNode } from 'react'
import { messageOf } from '../src/lib/error.ts'
import { safeLine } from '../src/lib/safe-text.ts'
import { cutEnd } from '../src/lib/width.ts'

export type AreaProps = {
  readonly name: string
  readonly width: number
  /** Drawn again from scratch when it changes: after a resize or Ctrl+L. */
  readonly attempt: string
  readonly onError: (message: string) => void
  readonly children: ReactNode
}

type AreaState = { readonly error: unknown; readonly attempt: string }

/** Keeps an error inside a part of the screen in its place; the rest lives on and the log gets the error (TERM-7). */
export class Area extends Component<AreaProps, AreaState> {
  constructor(props: AreaProps) {
    super(props)
    this.state = { error: null, attempt: props.attempt }
  }

  static getDerivedStateFromError(error: unknown): Partial<AreaState> {
    return { error }
  }

  static getDerivedStateFromProps(props: AreaProps, state: AreaState): Partial<AreaState> | null {
    return props.attempt === state.attempt ? null : { attempt: props.attempt, error: null }
  }

  override componentDidCatch(error: unknown): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.props.onError(`${this.props.name}: ${detail}`)
  }

  override render(): ReactNode {
    const { name, width, children } = this.props
    const { error } = this.state
    if (error === null) return children
    return <Text wrap="truncate">{cutEnd(` ✗ ${name}: ${safeLine(messageOf(error))}`, width)}</Text>
  }
}
