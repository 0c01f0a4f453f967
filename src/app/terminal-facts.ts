import type { Environment } from '../config/index.ts'

/** Neither the locale nor the terminal promises Unicode (SESS-023). */
export function isAsciiTerminal(env: Environment): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || ''
  return env.TERM === 'linux' || (locale !== '' && !/utf-?8/i.test(locale) && locale !== 'C.UTF-8')
}
