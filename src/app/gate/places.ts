import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import { readRegular } from '../../platform/regular-file.ts'

const maxLines = 200
/** More than anybody reads in an overlay. */
const maxBytes = 8 * 1024 * 1024

/** The lines at `path:line[-line]`, read-only and inside the project (OPUI-740); or why there are none. */
export async function readPlaces(
  projectDir: string,
  places: readonly string[]
): Promise<readonly { readonly place: string; readonly text: string }[]> {
  return Promise.all(places.map(async (place) => ({ place, text: await textAt(projectDir, place) })))
}

async function textAt(projectDir: string, place: string): Promise<string> {
  const match = /^(.*?)(?::(\d+)(?:-(\d+))?)?$/s.exec(place)
  const path = resolve(projectDir, match?.[1] ?? '')
  if (!isInside(projectDir, path)) return outside
  try {
    // A link may lead out of the project.
    const [top, real] = await Promise.all([realpath(projectDir), realpath(path)])
    if (!isInside(top, real)) return outside
    const lines = readRegular(real, maxBytes).toString('utf8').split('\n')
    const first = Number(match?.[2] ?? 1)
    const last = Math.min(Number(match?.[3] ?? match?.[2] ?? lines.length), first + maxLines - 1)
    return lines.slice(first - 1, last).join('\n')
  } catch (thrown) {
    return systemCodeOf(thrown) === 'ENOENT' ? 'there is no such file in the project' : messageOf(thrown)
  }
}

const outside = 'outside the project'

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path)
  return inside !== '' && inside !== '..' && !inside.startsWith('../')
}
