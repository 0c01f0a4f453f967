import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder with these files that goes when the test ends; no repository. */
export function makeProject(files: Readonly<Record<string, string>> = {}): string {
  const project = mkdtempSync(join(tmpdir(), 'ghyll-project-'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  addFiles(project, files)
  return project
}

/** Writes files into a project, with their folders. */
export function addFiles(project: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
}

/** A TypeScript monorepo with three contexts in packages, a technical package beside them, and tests of its own. */
export const monorepo: Readonly<Record<string, string>> = {
  'package.json': '{ "workspaces": ["packages/*"] }\n',
  'packages/billing/src/invoice.ts': 'export function issueInvoice() {}\nexport type Invoice = { id: string }\n',
  'packages/billing/src/invoice.test.ts': 'test("x", () => {})\n',
  'packages/catalog/src/index.tsx': 'export const Catalog = () => null\n',
  'packages/checkout/src/cart.ts':
    "import { issueInvoice } from '../../billing/src/invoice.ts'\nexport class Cart {}\n",
  'packages/shared/src/money.ts': 'export const cents = 1\n',
  'packages/legal/README.md': 'no source here\n',
  'packages/checkout/node_modules/dep/index.js': 'module.exports = 1\n',
  'specs/context-map.md': '# Map\n## Contexts\n- billing\n'
}

/** A Python service with code and tests, and no specification. */
export const pythonService: Readonly<Record<string, string>> = {
  'pyproject.toml': '[project]\nname = "rates"\n',
  'src/rates/api.py': 'def quote(pair):\n    return 1\n\nclass Rate:\n    pass\n',
  'src/rates/_store.py': 'def _load():\n    return {}\n',
  'src/utils/text.py': 'def slug(s):\n    return s\n',
  'tests/test_api.py': 'def test_quote():\n    assert True\n',
  'tests/integration/test_live.py': 'def test_live():\n    assert True\n'
}

/** A Go module with everything in its root. */
export const goModule: Readonly<Record<string, string>> = {
  'go.mod': 'module example.com/tide\n',
  'main.go': 'package main\n\nfunc main() {}\n',
  'tide.go': 'package main\n\ntype Tide struct{}\n\nfunc Predict() Tide { return Tide{} }\n',
  'tide_test.go': 'package main\n'
}
