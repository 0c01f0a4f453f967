import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { execa } from 'execa'
import { scriptedModels } from './endpoint.ts'
import { files, specs } from './sample-files.ts'

/** A throw-away home and project in the temporary folder; nothing outside it is touched (CLI-035). */
export type DemoPlace = {
  readonly root: string
  readonly home: string
  readonly project: string
  readonly configPath: string
  /** The whole environment for what runs there: the home above, no setting of the visitor's own ghyll, this very Node first. */
  readonly env: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/**
 * Makes the place: home with a configuration that points at `endpointUrl`, and the sample project with one commit, which holds what
 * `prepare` adds to it.
 */
export async function makeDemoPlace(
  endpointUrl: string,
  inherited: NodeJS.ProcessEnv,
  prepare: (project: string, env: DemoPlace['env']) => Promise<void> = async () => undefined
): Promise<DemoPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'ghyll-demo-')))
  const home = join(root, 'home')
  const project = join(root, 'corner-shop')
  const configPath = join(home, '.ghyll', 'config.toml')
  const bin = join(root, 'bin')
  const env = demoEnvironment(inherited, home, bin)
  try {
    await mkdir(dirname(configPath), { recursive: true, mode: 0o700 })
    await writeFile(configPath, demoConfig(endpointUrl), { mode: 0o600 })
    await makeCommand(bin)
    await makeProject(project, env, prepare)
  } catch (thrown) {
    await rm(root, { recursive: true, force: true })
    throw thrown
  }
  return {
    root,
    home,
    project,
    configPath,
    env,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The configuration of the demo: both models are scripted and their names say so. */
export function demoConfig(endpointUrl: string): string {
  const [fast, deep] = scriptedModels
  return `# Configuration of the demo; it goes away with it.
[models.${fast}]
endpoint = "${endpointUrl}"
dialect = "minimax"
model = "${fast}"
max_context = 200000

[models.${deep}]
endpoint = "${endpointUrl}"
dialect = "glm"
model = "${deep}"
max_context = 200000

[routing]
default_model = "${fast}"
deep_model = "${deep}"
# High, so that the tour changes models only when told to.
tool_depth_threshold = 50

[memory]
auto_sync = false
# Soon, so that a visitor sees one.
checkpoint_interval_turns = 2
`
}

function demoEnvironment(inherited: NodeJS.ProcessEnv, home: string, bin: string): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    const foreign = name.startsWith('GIT_') || (name.startsWith('GHYLL_') && !name.startsWith('GHYLL_LOG_'))
    if (value !== undefined && !foreign) env[name] = value
  }
  return {
    ...env,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Demo Visitor',
    GIT_AUTHOR_EMAIL: 'visitor@example.com',
    GIT_COMMITTER_NAME: 'Demo Visitor',
    GIT_COMMITTER_EMAIL: 'visitor@example.com',
    // The sample's tests run by `node`, and the script asks `ghyll`; both are the ones that run here, wherever they were found.
    PATH: [bin, dirname(process.execPath), inherited.PATH].filter(Boolean).join(delimiter)
  }
}

/** `ghyll` for commands that run in the place: this very program. */
async function makeCommand(folder: string): Promise<void> {
  const quoted = [process.execPath, process.argv[1] ?? ''].map((word) => `'${word.replaceAll("'", "'\\''")}'`)
  await mkdir(folder)
  await writeFile(join(folder, 'ghyll'), `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`, { mode: 0o755 })
}

async function makeProject(
  project: string,
  env: Readonly<Record<string, string>>,
  prepare: (project: string, env: DemoPlace['env']) => Promise<void>
): Promise<void> {
  for (const [path, text] of Object.entries({ ...files, ...specs })) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), text)
  }
  const git = (...args: string[]) => execa('git', args, { cwd: project, env, extendEnv: false })
  await git('init', '--quiet', '--initial-branch=main')
  await prepare(project, env)
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'A till for a corner shop')
}
