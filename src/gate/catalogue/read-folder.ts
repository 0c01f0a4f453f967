import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import type { SchemaSource } from './embedded.ts'
import { CatalogueFailure } from './errors.ts'
import { maxSchemaBytes } from './parse-schema.ts'

/**
 * The schema files of a folder, by name, for `catalogueOf`. Links, special files and files over the limit are refused (CONC-5), so
 * that a prepared folder can neither hang the reader nor show it something else.
 */
export async function readSchemaFolder(folder: string): Promise<readonly SchemaSource[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).toSorted()
  const sources: SchemaSource[] = []
  for (const name of names) sources.push({ file: name, text: await readSchema(folder, name) })
  return sources
}

async function readSchema(folder: string, name: string): Promise<string> {
  let handle: FileHandle | null = null
  try {
    handle = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stats = await handle.stat()
    if (!stats.isFile()) throw new CatalogueFailure(name, 'not a regular file')
    if (stats.size > maxSchemaBytes) throw new CatalogueFailure(name, `larger than ${maxSchemaBytes} bytes`)
    return await handle.readFile('utf8')
  } catch (thrown) {
    if (thrown instanceof CatalogueFailure) throw thrown
    throw new CatalogueFailure(name, systemCodeOf(thrown) === 'ELOOP' ? 'a symbolic link' : messageOf(thrown), thrown)
  } finally {
    await handle?.close()
  }
}
