const redacted = '<redacted>'

// Each alternative is one literal beginning and one run of characters, so a scan is linear. A key begins where a word begins:
// `task-scheduler` is none.
const patterns = /authorization[:=]\S+|bearer \S+|(?<![a-z0-9])sk-[a-z0-9_-]{8,}/gi

/**
 * `text` without what looks like a credential and without the exact `secrets` (MODEL-052). Cut a text only after this: half a
 * secret matches nothing.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  return withoutSecrets(text, secrets).replace(patterns, redacted)
}

/** What stands for no key at all where a server wants none, such as `none` or `EMPTY`, is shorter than this. */
const minSecretLength = 8

/**
 * `text` without the exact `secrets` and otherwise unchanged, for what a model has to be able to quote: code is full of things that
 * look like a credential. A secret shorter than eight characters is taken for a placeholder and stays.
 */
export function conceal(text: string, secrets: readonly string[]): string {
  return withoutSecrets(
    text,
    secrets.filter((secret) => secret.length >= minSecretLength)
  )
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  // Longest first, so that no secret survives as the rest of one it contains.
  const known = secrets.filter((secret) => secret !== '').toSorted((a, b) => b.length - a.length)
  return known.reduce((rest, secret) => rest.replaceAll(secret, redacted), text)
}
