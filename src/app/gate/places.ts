import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { messageOf } from '../../lib/error.ts'

const maxLines = 200

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
  const inside = relative(projectDir, path)
  if (inside === '' || inside.startsWith('..')) return 'outside the project'
  try {
    const lines = (await readFile(join(projectDir, inside), 'utf8')).split('\n')
    const first = Number(match?.[2] ?? 1)
    const last = Math.min(Number(match?.[3] ?? match?.[2] ?? lines.length), first + maxLines - 1)
    return lines.slice(first - 1, last).join('\n')
  } catch (thrown) {
    return messageOf(thrown)
  }
}
