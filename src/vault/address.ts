/** Where to listen; without a host on every interface. */
export type Address = { readonly host: string | null; readonly port: number }

/** Reads `:9090`, `127.0.0.1:9090`, `[::1]:9090` or `vault.example:9090`; null when it is none of these (MEM-096). */
export function parseAddress(text: string): Address | null {
  const match = /^(?:\[([0-9a-f:.%]+)\]|([^:[\]\s]*)):(\d{1,5})$/i.exec(text)
  if (match === null) return null
  const port = Number(match[3])
  return port > 65_535 ? null : { host: match[1] ?? (match[2] || null), port }
}

/** The address as `parseAddress` reads it (MEM-096). */
export function formatAddress({ host, port }: Address): string {
  return `${host === null ? '' : host.includes(':') ? `[${host}]` : host}:${port}`
}
