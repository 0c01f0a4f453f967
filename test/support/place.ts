import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'

/** A temporary home and a temporary git project; the environment keeps both apart from the machine's user. */
export type Place = {
  readonly root: string
  readonly home: string
  readonly project: string
  readonly configPath: string
  readonly env: Record<string, string>
  /** Runs git in the project and returns what it prints. */
  git(...args: string[]): Promise<string>
  /** Path inside the project. */
  at(path: string): string
  read(path: string): Promise<string>
  write(path: string, text: string | Uint8Array): Promise<void>
  remove(): Promise<void>
}

export type PlaceOptions = {
  /** Files of the project's first commit. */
  readonly files?: Readonly<Record<string, string>>
  /** Text of the configuration; null leaves the home empty. */
  readonly config?: string | null
}

/** Makes the place; `remove` takes everything away again. */
export async function makePlace({
  files = { 'README.md': '# Sample\n' },
  config = null
}: PlaceOptions = {}): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ghyll-test-')))
  const home = join(root, 'home')
  const project = join(root, 'project')
  const configPath = join(home, '.ghyll', 'config.toml')
  const env = environment(home)
  await mkdir(home)
  await mkdir(project)
  const at = (path: string) => join(project, path)
  const place: Place = {
    root,
    home,
    project,
    configPath,
    env,
    at,
    async git(...args) {
      return (await execa('git', args, { cwd: project, env, extendEnv: false })).stdout
    },
    read: (path) => readFile(at(path), 'utf8'),
    async write(path, text) {
      await mkdir(dirname(at(path)), { recursive: true })
      await writeFile(at(path), text)
    },
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
  if (config !== null) {
    await mkdir(dirname(configPath), { mode: 0o700 })
    await writeFile(configPath, config, { mode: 0o600 })
  }
  for (const [path, text] of Object.entries(files)) await place.write(path, text)
  await place.git('init', '--quiet', '--initial-branch=main')
  await place.git('add', '--all')
  await place.git('commit', '--quiet', '--allow-empty', '--message', 'Start')
  return place
}

/** The text of a project file as soon as it fits `pattern`: how a command that runs says how far it is. The test's limit bounds it. */
export async function fileWith(place: Place, path: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const text = await place.read(path).catch(() => '')
    if (pattern.test(text)) return text
    await sleep(20)
  }
}

/** The test's own environment without what belongs to the user or would change what is tested. */
function environment(home: string): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(CI|NO_COLOR|FORCE_COLOR|INK_|GIT_|GHYLL_|VITEST|NODE_ENV|NODE_OPTIONS)/.test(name)) {
      env[name] = value
    }
  }
  return {
    ...env,
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
    GHYLL_SANDBOX_ASSUME_SAFE: 'test'
  }
}

/** A configuration with a fast and a deep model on one endpoint; `more` is added as it is. */
export function twoModels(endpoint: string, more = ''): string {
  return `[models.fast]
endpoint = "${endpoint}"
dialect = "minimax"
model = "scripted-fast"
max_context = 200000

[models.deep]
endpoint = "${endpoint}"
dialect = "glm"
model = "scripted-deep"
max_context = 200000

[routing]
default_model = "fast"
deep_model = "deep"

[memory]
auto_sync = false

${more}`
}
