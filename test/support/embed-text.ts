import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// For programs of the tests that node runs as they are: YAML and Markdown files are text there as well, as in the bundle.
registerHooks({
  load(url, context, next) {
    if (!/\.(?:md|toml|yaml)$/.test(url)) return next(url, context)
    const text = readFileSync(new URL(url), 'utf8')
    return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(text)}` }
  }
})
