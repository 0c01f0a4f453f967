/** `localhost`, 127.0.0.0/8 and `::1` (CFG-011). */
export function isLoopback(url: URL): boolean {
  const host = url.hostname
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** The URL when it is one of http or https, else null. */
export function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null
}

/** Whether a URL carries a user name or password, which no request here may (MODEL-066). */
export function hasUserInfo(text: string): boolean {
  const url = httpUrl(text)
  return url !== null && (url.username !== '' || url.password !== '')
}

/** The text of a URL as it may be shown: without user name and password. */
export function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*@/i, '$1//***@')
}
