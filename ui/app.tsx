import { Box, Text } from 'ink'
import { memo, type ReactNode, useMemo } from 'react'
import { useShallow } from 'zustand/react/shallow'
import { cutEnd } from '../src/lib/width.ts'
import { Area } from './area.tsx'
import { findLine } from './find/find.ts'
import { FindBar } from './find/find-bar.tsx'
import { divideColumns, divideScreen } from './layout.ts'
import { caretOfOverlay, layoutOverlay } from './overlays/body.ts'
import { overlaySources, takingFront } from './overlays/front.ts'
import { Overlay } from './overlays/overlay.tsx'
import { isAsking } from './overlays/stack.ts'
import { TranscriptPane } from './pane.tsx'
import { Panels } from './panels/panels.tsx'
import { CompletionList, chipRows, listRows, PendingChips } from './prompt/lists.tsx'
import { lookOfPrompt } from './prompt/look.ts'
import { promptPlace } from './prompt/press.ts'
import { Prompt } from './prompt/prompt.tsx'
import { Header } from './status/header.tsx'
import { Status } from './status/status.tsx'
import { isBusy, type ScreenState } from './store/state.ts'
import { useScreen } from './store/store.ts'
import { createTheme, ThemeContext } from './theme/index.ts'
import { useHighlighter } from './transcript/transcript.tsx'
import type { TranscriptView } from './transcript/view.ts'

export type AppProps = {
  readonly view: TranscriptView
  readonly isColoured: boolean
  readonly isAscii: boolean
  /** Counts Ctrl+L, so that what failed to draw is tried again. */
  readonly redraws: number
  readonly onError: (message: string) => void
}

/** The screen at a glance: header, transcript, chips, completion list, prompt, status line, front overlay. */
export function App({ view, isColoured, isAscii, redraws, onError }: AppProps) {
  const theme = useMemo(() => createTheme({ colour: isColoured, ascii: isAscii }), [isColoured, isAscii])
  const { columns, rows } = useScreen((state) => state.terminal)
  const prompt = useScreen((state) => state.prompt)
  const place = useScreen(useShallow(promptPlace))
  const pending = useScreen((state) => state.transcript.pending)
  const hasReply = useScreen((state) => state.transcript.rows.some((row) => row.kind === 'reply'))
  useHighlighter(view, hasReply)
  const look = useMemo(() => lookOfPrompt(prompt, place), [prompt, place])
  const layout = divideScreen({
    columns,
    rows,
    prompt: look.rows.length,
    chips: chipRows(pending),
    list: prompt.search === null ? listRows(prompt.completion, Math.floor(rows / 3)) : 0
  })
  const widths = useScreen(useShallow(divideColumns))
  const area = (name: string, children: ReactNode) => (
    <Area name={name} width={columns} attempt={`${columns}×${rows}/${redraws}`} onError={onError}>
      {children}
    </Area>
  )
  if (layout.kind === 'tiny') {
    return (
      <Window columns={columns} rows={rows}>
        <Text wrap="truncate">{cutEnd('window too small', columns)}</Text>
      </Window>
    )
  }
  const promptTop = 1 + layout.transcript + layout.chips + layout.list
  return (
    <ThemeContext value={theme}>
      <Window columns={columns} rows={rows}>
        <Row height={1}>{area('header', <HeaderArea width={columns} />)}</Row>
        <Row height={layout.transcript}>
          {widths.transcript === 0
            ? null
            : area(
                'transcript',
                <TranscriptPane
                  view={view}
                  width={widths.transcript}
                  height={layout.transcript}
                  isFramed={layout.isFramed}
                />
              )}
          {widths.panel === 0 ? null : area('panel', <PanelArea width={widths.panel} height={layout.transcript} />)}
        </Row>
        <Row height={layout.chips}>{area('pending messages', <ChipArea width={columns} />)}</Row>
        {prompt.completion === null || layout.list === 0 ? null : (
          <Row height={layout.list}>
            {area(
              'completions',
              <CompletionList completion={prompt.completion} height={layout.list} width={columns} />
            )}
          </Row>
        )}
        <Row height={layout.prompt}>{area('prompt', <PromptArea look={look} top={promptTop} width={columns} />)}</Row>
        <Row height={1}>{area('status', <StatusArea view={view} width={columns} />)}</Row>
        {area('overlay', <OverlayArea columns={columns} rows={rows} />)}
      </Window>
    </ThemeContext>
  )
}

/** The root is exactly as large as the window, whatever is in it (TERM-1). */
function Window({
  columns,
  rows,
  children
}: {
  readonly columns: number
  readonly rows: number
  readonly children: ReactNode
}) {
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      {children}
    </Box>
  )
}

function Row({ height, children }: { readonly height: number; readonly children: ReactNode }) {
  if (height === 0) return null
  return (
    <Box height={height} flexShrink={0}>
      {children}
    </Box>
  )
}

function HeaderArea({ width }: { readonly width: number }) {
  const facts = useScreen((state) => state.header)
  return <Header facts={facts} width={width} />
}

function ChipArea({ width }: { readonly width: number }) {
  const pending = useScreen((state) => state.transcript.pending)
  const isHeld = useScreen((state) => state.session.isHeld)
  return <PendingChips pending={pending} isHeld={isHeld} width={width} />
}

/** Drawn anew when the gate or a panel changes, not with every key of the prompt. */
const PanelArea = memo(function PanelArea({ width, height }: { readonly width: number; readonly height: number }) {
  const facts = useScreen(useShallow(({ terminal, panels, gate }) => ({ terminal, panels, gate })))
  const isFront = useScreen((state) => takingFront(state) === null)
  const bindings = useScreen((state) => state.keys.bindings)
  return <Panels facts={facts} isFront={isFront} bindings={bindings} width={width} height={height} />
})

function PromptArea({ look, top, width }: Pick<Parameters<typeof Prompt>[0], 'look' | 'top' | 'width'>) {
  const isFocused = useScreen(
    (state) => takingFront(state) === null && state.panels.focus === null && !state.find?.isTyping
  )
  const caret = useScreen(useShallow(caretElsewhere))
  return <Prompt look={look} top={top} width={width} isFocused={isFocused} elsewhere={caret} />
}

/** Where text is typed while an overlay asks for some, or the transcript is searched. */
function caretElsewhere(state: ScreenState): { x: number; y: number } | null {
  const front = takingFront(state)
  const { columns, rows } = state.terminal
  if (front === null && state.panels.focus === null && state.find?.isTyping)
    return { x: findLine(state.find, null, columns).caret, y: rows - 1 }
  return front === null || !isAsking(front.content)
    ? null
    : caretOfOverlay(layoutOverlay(front, overlaySources(state)), state.terminal)
}

function StatusArea({ view, width }: { readonly view: TranscriptView; readonly width: number }) {
  const find = useScreen((state) => state.find)
  const facts = useScreen(
    useShallow((state) => ({
      session: state.session,
      waiting: state.transcript.waiting,
      gate: state.gate,
      isBusy: isBusy(state),
      notice: state.notice,
      bindings: state.keys.bindings
    }))
  )
  return find === null ? <Status facts={facts} width={width} /> : <FindBar find={find} view={view} width={width} />
}

function OverlayArea({ columns, rows }: { readonly columns: number; readonly rows: number }) {
  const front = useScreen((state) => state.overlays.at(-1) ?? null)
  const sources = useScreen(useShallow(overlaySources))
  if (front === null) return null
  return <Overlay layout={layoutOverlay(front, sources)} columns={columns} rows={rows} />
}
