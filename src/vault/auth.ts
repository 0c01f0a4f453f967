import { createHash, timingSafeEqual } from 'node:crypto'

/** What decides whether a request may pass. */
export type Caller = {
  /** Address of the other end of the socket, if known. */
  readonly peer: string | undefined
  readonly header: (name: string) => string | undefined
}

/**
 * Whether a request may use the vault (MEM-090): with the token, or from this machine when no proxy stands in between. Without a
 * configured token nobody else gets in.
 */
export function isAllowed(caller: Caller, token: string | null): boolean {
  if (isLocal(caller)) return true
  const given = /^bearer +(\S.*)$/i.exec(caller.header('authorization') ?? '')?.[1]
  return token !== null && given !== undefined && isSame(given.trimEnd(), token)
}

function isLocal({ peer, header }: Caller): boolean {
  if (header('x-forwarded-for') !== undefined || header('forwarded') !== undefined) return false
  // A socket that serves both families shows IPv4 peers in this form.
  const address = peer?.replace(/^::ffff:/i, '')
  return address === '127.0.0.1' || address === '::1'
}

/** Takes the same time however much of the token is right; digests make the lengths equal. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(token))
}
