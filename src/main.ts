import { version } from './lib/version.ts'

process.stdout.write(`ghyll ${version}\n`)
