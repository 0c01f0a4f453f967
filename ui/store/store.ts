import { createContext, useContext } from 'react'
import { type StoreApi, useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { assert } from '../../src/lib/assert.ts'
import type { ScreenBoot } from '../../src/protocol/screen.ts'
import { initialState, type ScreenState } from './state.ts'

export type ScreenStore = StoreApi<ScreenState>

/** The store of one screen. It works without React; components subscribe with `useScreen`. */
export function createScreenStore(
  boot: ScreenBoot,
  size: { readonly columns: number; readonly rows: number }
): ScreenStore {
  return createStore(() => initialState(boot, size))
}

export const StoreContext = createContext<ScreenStore | null>(null)

/** What `select` finds in the state; the component draws again only when that is another value. */
export function useScreen<Value>(select: (state: ScreenState) => Value): Value {
  const store = useContext(StoreContext)
  assert(store !== null, 'a component of the screen inside its store')
  return useStore(store, select)
}
