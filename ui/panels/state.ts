import type { Inspection, Subject } from '../../src/protocol/gate-view.ts'
import type { RequestId } from '../../src/protocol/ids.ts'

export const panelNames = ['arrows', 'passes', 'queue', 'findings', 'events'] as const
export type PanelName = (typeof panelNames)[number]

/** The panels: which one is open and which has the keys, and the reader's place in each (OPUI-710…713). */
export type PanelsState = {
  /** null: the prompt. */
  readonly focus: PanelName | null
  /** The panel last opened; in narrow windows the one that covers the transcript. */
  readonly open: PanelName | null
  /** The arrow panel shows contexts against role pairs (OPUI-720). */
  readonly isMatrix: boolean
  readonly findingsBy: 'arrow' | 'status'
  /** Why a key was refused, in the panel's last line until the next key (OPUI-722). */
  readonly refusal: string | null
  readonly panels: Readonly<Record<PanelName, Panel>>
}

export type Panel = {
  /** The marked row, and where it stood: when it is gone, whatever stands there now is marked (OPUI-713). */
  readonly cursor: { readonly id: string | null; readonly index: number }
  readonly filter: string
  readonly isFiltering: boolean
  /** Only what belongs to this arrow (`f` and `p` in the arrow panel). */
  readonly arrow: string | null
  /** Closer looks, the innermost last. */
  readonly details: readonly Detail[]
}

export type Detail = {
  readonly subject: Subject | { readonly kind: 'event'; readonly serial: number }
  /** null: nothing was asked for. */
  readonly request: RequestId | null
  readonly inspection: Inspection | null
  /** The marked line. */
  readonly at: number
}

const emptyPanel: Panel = {
  cursor: { id: null, index: 0 },
  filter: '',
  isFiltering: false,
  arrow: null,
  details: []
}

export const emptyPanels: PanelsState = {
  focus: null,
  open: null,
  isMatrix: false,
  findingsBy: 'arrow',
  refusal: null,
  panels: {
    arrows: emptyPanel,
    passes: emptyPanel,
    queue: emptyPanel,
    findings: emptyPanel,
    events: emptyPanel
  }
}

/** Wider windows have room for the matrix (OPUI-720). */
export const matrixColumns = 140

/** The panels in a window of so many columns: where the matrix no longer has room, the list is back (OPUI-720). */
export function fitted(panels: PanelsState, columns: number): PanelsState {
  return panels.isMatrix && columns <= matrixColumns ? { ...panels, isMatrix: false } : panels
}

/** The panels with one of them changed. */
export function withPanel(panels: PanelsState, name: PanelName, changes: Partial<Panel>): PanelsState {
  return { ...panels, panels: { ...panels.panels, [name]: { ...panels.panels[name], ...changes } } }
}
