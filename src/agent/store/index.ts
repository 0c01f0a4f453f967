export { StoreFailure } from './errors.ts'
export { openSessionStore, type SessionStore, sessionStorePath } from './store.ts'
