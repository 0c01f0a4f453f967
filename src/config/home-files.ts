import specCheck from './home/commands/spec-check.md'
import verify from './home/commands/verify.md'
import ci from './home/guidelines/ci.md'
import cpp from './home/guidelines/cpp.md'
import engineering from './home/guidelines/engineering.md'
import go from './home/guidelines/go.md'
import python from './home/guidelines/python.md'
import rust from './home/guidelines/rust.md'
import instructions from './home/instructions.md'

/** Built-in texts of the guidelines, for when the operator's own library lacks one (INIT-95). */
export const builtInGuidelines: Readonly<Record<string, string>> = { engineering, ci, go, python, cpp, rust }

/** What a home folder is given at first, by path below it (CFG-033). There is no `commands/status.md`: a built-in bears that name. */
export const homeFiles: Readonly<Record<string, string>> = {
  'instructions.md': instructions,
  'commands/verify.md': verify,
  'commands/spec-check.md': specCheck,
  ...Object.fromEntries(Object.entries(builtInGuidelines).map(([name, text]) => [`guidelines/${name}.md`, text]))
}
