import templateText from './template.toml'

/** The first configuration, written as it is (CFG-020). */
export { templateText }

/** Addresses in it that stand for nothing real (CFG-034). */
export const templateEndpoints: ReadonlySet<string> = new Set(
  [...templateText.matchAll(/^(?:# )?endpoint = "(https:\/\/[^"]+\.internal[^"]*)"/gm)].map(([, url = '']) => url)
)
