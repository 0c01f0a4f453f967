export { StoreFailure, type StoreFailureCode } from './errors.ts'
export {
  openSessionStore,
  type SessionStore,
  type StoreOptions,
  type SubmitRow,
  type Submitted,
  sessionStorePath
} from './store.ts'
