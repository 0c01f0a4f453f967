import { type GhyllCommand, UsageError } from './command.ts'
import type { Subcommand } from './subcommand.ts'

/** `ghyll help [topic]`: the usage of a command, or a text of its own (CLI-003, CFG-054). */
export const helpCommand: Subcommand = (program, { act, io }) => {
  program
    .command('help')
    .description(`show this text, the usage of a command, or a topic (${Object.keys(topics).join(', ')})`)
    .argument('[topic...]', 'command or topic')
    .action(
      act((words: readonly string[]) => {
        const topic = words.length === 1 && Object.hasOwn(topics, words[0] ?? '') ? topics[words[0] ?? ''] : undefined
        io.out(topic ?? find(program, words).helpInformation())
        return 0
      })
    )
}

function find(program: GhyllCommand, words: readonly string[]): GhyllCommand {
  return words.reduce((command, word) => {
    const inner = command.commands.find((each) => each.name() === word)
    if (inner === undefined) throw new UsageError(`unknown command "${word}"`, null)
    return inner as GhyllCommand
  }, program)
}

const topics: Readonly<Record<string, string>> = {
  sandbox: `Tool calls of the model run as you, with everything you may read, write and reach. Start ghyll inside a sandbox to narrow that down:

  Docker, Podman     a container with the project bind-mounted:
                     podman run -it --rm -v "$PWD:/work" -w /work <image> ghyll run
  bubblewrap         a read-only system, your project writable:
                     bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-pid \\
                       --bind "$PWD" "$PWD" --bind ~/.ghyll ~/.ghyll ghyll run
  sandbox-exec       macOS, with a profile that allows the project folder:
                     sandbox-exec -f <profile>.sb ghyll run
  Firejail           firejail --whitelist="$PWD" --whitelist=~/.ghyll ghyll run
  Kubernetes         a pod with the project on a volume and no service account token

ghyll looks for these once at the start and says what it found. Two variables of the environment decide what follows:

  GHYLL_REQUIRE_SANDBOX=1               refuse to start when none is found
  GHYLL_SANDBOX_ASSUME_SAFE=<reason>    take the surroundings for safe, and log why

The model servers, git remotes and the vault of your configuration must stay reachable from inside.

Tools inherit the environment unfiltered, API keys in it included, and can read every file you can, ~/.ghyll/config.toml included. To keep
a key from them, leave it in a configuration file outside of what the sandbox mounts, or use a key for this sandbox alone.
`
}
