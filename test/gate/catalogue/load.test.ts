import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { embeddedSchemas } from '../../../src/gate/catalogue/embedded.ts'
import {
  CatalogueFailure,
  catalogueOf,
  describeConcept,
  listConcepts,
  loadCatalogue,
  readSchemaFolder
} from '../../../src/gate/catalogue/index.ts'
import { parseSchema } from '../../../src/gate/catalogue/parse-schema.ts'

const catalogue = loadCatalogue()
const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})
async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ghyll-concepts-'))
  folders.push(folder)
  return folder
}

describe('the shipped catalogue', () => {
  it('holds 18 concepts, 11 of them universal, with the kinds, categories and costs of the table (CONC-2, CONC-3)', () => {
    expect(listConcepts(catalogue).map((c) => [c.concept, c.kind, c.category, c['default-cost']])).toEqual([
      ['compiles', 'bound', 'base', 0],
      ['lint-clean', 'bound', 'base', 0],
      ['every-step-bound', 'bound', 'base', 0],
      ['no-todo-marker', 'universal', 'base', 0],
      ['no-open-finding', 'universal', 'auto-inserted', 1],
      ['every-requirement-meets-min-depth', 'universal', 'auto-inserted', 0],
      ['no-orphan-symbol', 'bound', 'per-arrow', 1],
      ['mutation-score', 'bound', 'per-arrow', 3],
      ['acyclic-dependency-graph', 'bound', 'per-arrow', 0],
      ['tests-pass', 'bound', 'per-arrow', 2],
      ['kill-server-fails-integration', 'universal', 'per-arrow', 3],
      ['trace-link-present', 'universal', 'per-arrow', 1],
      ['unique-definition', 'universal', 'per-arrow', 0],
      ['predicate-form', 'universal', 'per-arrow', 1],
      ['arrow-artifact-present', 'universal', 'per-arrow', 0],
      ['cardinality-check', 'universal', 'per-arrow', 1],
      ['mode-determinable-from-repo', 'universal', 'per-arrow', 1],
      ['single-active-role-instance', 'universal', 'per-arrow', 0]
    ])
  })

  it('is the folder gates/concepts, file by file (CONC-1)', async () => {
    const onDisk = await readSchemaFolder('gates/concepts')
    expect(catalogueOf(onDisk).size).toBe(18)
    expect(new Map(onDisk.map(({ file, text }) => [file, text]))).toEqual(
      new Map(embeddedSchemas.map(({ file, text }) => [file, text]))
    )
    expect(await readdir('gates/concepts')).toHaveLength(18)
  })

  it.each([
    ['no-todo-marker', 'markers', 'list of string', false, ['TODO', 'TBD', '???', 'FIXME', 'XXX'], ''],
    ['mutation-score', 'threshold', 'number', true, null, '0..1'],
    ['trace-link-present', 'max-multiplicity', 'int', false, null, '≥ 0'],
    ['acyclic-dependency-graph', 'kind', 'enum', false, 'import-graph', 'import-graph, call-graph, type-graph'],
    ['lint-clean', 'severity-threshold', 'severity', false, 'medium', ''],
    ['mode-determinable-from-repo', 'valid-modes', 'list of string', true, null, 'elements ≥ 1']
  ])('describes %s %s (CONC-6)', (concept, name, type, required, fallback, accepts) => {
    const argument = describeConcept(catalogue, concept)?.arguments.find((candidate) => candidate.name === name)
    expect(argument).toMatchObject({ name, type, required, default: fallback, accepts })
  })

  it('knows nothing of other names', () => {
    expect(describeConcept(catalogue, 'compile')).toBeNull()
  })
})

describe('loading is strict and names the file (CONC-5)', () => {
  const good = embeddedSchemas.find(({ file }) => file === 'compiles.yaml')?.text ?? ''
  const rows: readonly (readonly [string, string])[] = [
    ['an unknown key', `${good}cost: 3\n`],
    ['an unknown key of an argument', good.replace('required: true,', 'required: true, hint: x,')],
    ['a duplicate key', `${good}concept: compiles\n`],
    ['a second document', `${good}---\nconcept: compiles\n`],
    ['an empty file', ''],
    ['no mapping', '- a\n- b\n'],
    ['a custom tag', good.replace('language-bound: true', 'language-bound: !!js/function true')],
    ['an alias', good.replace('description: Every', 'description: &a Every').replace('- A scope', '- *a\n  - A scope')],
    ['another name than the file', good.replace('concept: compiles', 'concept: compile')],
    ['no evaluator', good.replace(/evaluator:[\s\S]*?default-cost/, 'default-cost')],
    ['another contract', good.replace('contract: machine', 'contract: attested')],
    ['another type of pass', good.replace('pass: boolean', 'pass: string')],
    ['a negative cost', good.replace('default-cost: 0', 'default-cost: -1')],
    ['a broken cost', good.replace('default-cost: 0', 'default-cost: 0.5')],
    ['an unknown argument type', good.replace('type: path-glob', 'type: path')],
    ['an enum without values', good.replace('type: path-glob', 'type: enum')],
    ['a default of the wrong type', good.replace('type: path-glob, required: true,', 'type: int, default: many,')],
    ['a required argument with a default', good.replace('required: true,', 'required: true, default: src,')],
    ['items outside of a list', good.replace('type: path-glob,', 'type: path-glob, items: string,')],
    ['too many bytes', `${good}#${' '.repeat(256 * 1024)}\n`],
    ['broken YAML', 'concept: [compiles\n']
  ]
  it.each(rows)('refuses %s', (_, text) => {
    expect(text).not.toBe(good)
    expect(() => parseSchema('compiles.yaml', text)).toThrow(CatalogueFailure)
    expect(() => parseSchema('compiles.yaml', text)).toThrow(/compiles\.yaml: /)
  })

  it('accepts the file those were made of', () => {
    expect(parseSchema('compiles.yaml', good).concept).toBe('compiles')
  })

  it('refuses a concept that appears twice', () => {
    expect(() => catalogueOf([...embeddedSchemas, { file: 'copy/compiles.yaml', text: good }])).toThrow(
      'copy/compiles.yaml: concept "compiles" appears twice'
    )
  })

  it('names both counts when one is wrong (CONC-2)', () => {
    expect(() => catalogueOf(embeddedSchemas.slice(1))).toThrow(
      '17 concepts of which 11 universal, expected 18 of which 11'
    )
    const flipped = embeddedSchemas.map((source) => ({
      ...source,
      text: source.text.replace('language-bound: true', 'language-bound: false')
    }))
    expect(() => catalogueOf(flipped)).toThrow('18 concepts of which 18 universal')
  })

  it('refuses links, FIFOs and oversized files of a folder', async () => {
    const folder = await temporary()
    await writeFile(join(folder, 'elsewhere.txt'), good)
    await symlink('elsewhere.txt', join(folder, 'compiles.yaml'))
    await expect(readSchemaFolder(folder)).rejects.toThrow('compiles.yaml: a symbolic link')
    await rm(join(folder, 'compiles.yaml'))
    execFileSync('mkfifo', [join(folder, 'compiles.yaml')])
    await expect(readSchemaFolder(folder)).rejects.toThrow('compiles.yaml: not a regular file')
    await rm(join(folder, 'compiles.yaml'))
    await writeFile(join(folder, 'compiles.yaml'), ' '.repeat(256 * 1024 + 1))
    await expect(readSchemaFolder(folder)).rejects.toThrow('compiles.yaml: larger than')
  })
})
