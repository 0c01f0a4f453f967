const redacted = '<redacted>'

// Each alternative is one literal beginning and one run of characters, so a scan is linear.
const patterns = /authorization[:=]\S+|bearer \S+|sk-[A-Za-z0-9_-]{8,}/gi

/**
 * `text` without what looks like a credential and without the exact `secrets` (MODEL-052). Cut a text only after this: half a
 * secret matches nothing.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  // Longest first, so that no secret survives as the rest of one it contains.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length)
  return known.reduce((rest, secret) => rest.replaceAll(secret, redacted), text).replace(patterns, redacted)
}
