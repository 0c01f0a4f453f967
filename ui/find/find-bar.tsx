import { Text } from 'ink'
import { useSyncExternalStore } from 'react'
import { useTheme } from '../theme/index.ts'
import type { TranscriptView } from '../transcript/view.ts'
import { findLine } from './find.ts'
import type { FindState } from './state.ts'

export type FindBarProps = { readonly find: FindState; readonly view: TranscriptView; readonly width: number }

/** The search of the transcript in the place of the status line. */
export function FindBar({ find, view, width }: FindBarProps) {
  const theme = useTheme()
  useSyncExternalStore(view.subscribe, view.version)
  return <Text wrap="truncate">{theme.paintLine(findLine(find, view.searchStatus, width).line)}</Text>
}
