import { extname } from 'node:path'

// What a text file is made of besides its text: pure functions on its bytes.

export type Bom = 'utf-8' | 'utf-16le' | 'utf-16be'
export type FileStyle = {
  readonly bom: Bom | null
  /** The majority of its line endings; LF without any (TOOL-100). */
  readonly ending: '\n' | '\r\n'
  readonly finalNewline: boolean
}

const bomBytes: Readonly<Record<Bom, Buffer>> = {
  'utf-8': Buffer.from([0xef, 0xbb, 0xbf]),
  'utf-16le': Buffer.from([0xff, 0xfe]),
  'utf-16be': Buffer.from([0xfe, 0xff])
}
const sniffedBytes = 8192

/** The byte order mark a file begins with, or null. */
export function bomOf(bytes: Buffer): Bom | null {
  for (const bom of ['utf-8', 'utf-16le', 'utf-16be'] as const)
    if (bytes.subarray(0, bomBytes[bom].length).equals(bomBytes[bom])) return bom
  return null
}

/** Length of the mark in front of the text, in bytes. */
export const bomLength = (bom: Bom | null) => (bom === null ? 0 : bomBytes[bom].length)

/** A NUL byte in the first 8 KiB, and no mark of UTF-16 (TOOL-104). */
export function isBinary(bytes: Buffer): boolean {
  const bom = bomOf(bytes)
  return (bom === null || bom === 'utf-8') && bytes.subarray(0, sniffedBytes).includes(0)
}

/** The whole file as the model sees it: no mark, LF endings, `�` for what is no text (TOOL-034). */
export function decodeText(bytes: Buffer): string {
  return decode(bytes).replaceAll('\r\n', '\n')
}

function decode(bytes: Buffer): string {
  const bom = bomOf(bytes)
  return new TextDecoder(bom ?? 'utf-8', { ignoreBOM: true }).decode(bytes.subarray(bomLength(bom)))
}

/** Mark, line ending (that of most lines) and final newline, so that a change keeps them. */
export function styleOf(bytes: Buffer): FileStyle {
  const bom = bomOf(bytes)
  const text = bom === 'utf-16le' || bom === 'utf-16be' ? decode(bytes) : bytes.toString('latin1')
  const crlf = count(text, '\r\n')
  return { bom, ending: crlf > count(text, '\n') - crlf ? '\r\n' : '\n', finalNewline: text.endsWith('\n') }
}

/** New content for a file of this style: its mark and its line endings, unless the content brings its own (TOOL-101). */
export function encodeLike(style: FileStyle, content: string): Buffer {
  const text = content.startsWith('\ufeff') ? content.slice(1) : content
  const body = withEnding(text, style.ending)
  switch (style.bom) {
    case null:
      return Buffer.from(withEnding(content, style.ending))
    case 'utf-8':
      return Buffer.concat([bomBytes['utf-8'], Buffer.from(body)])
    case 'utf-16le':
      return Buffer.concat([bomBytes['utf-16le'], Buffer.from(body, 'utf16le')])
    case 'utf-16be':
      return Buffer.concat([bomBytes['utf-16be'], Buffer.from(body, 'utf16le').swap16()])
  }
}

/** LF becomes `ending`; text with a CRLF of its own is left as it is. */
export function withEnding(text: string, ending: FileStyle['ending']): string {
  return ending === '\n' || text.includes('\r\n') ? text : text.replaceAll('\n', '\r\n')
}

/** What a file without text is, by its first bytes, else by its name (TOOL-033). */
export function binaryType(bytes: Buffer, path: string): string {
  const start = bytes.subarray(0, 16).toString('latin1')
  const known = signatures.find(([signature]) => start.startsWith(signature))
  if (known !== undefined) return known[1]
  return extname(path) === '' ? 'unknown type' : `${extname(path).slice(1).toLowerCase()} file`
}

const signatures: readonly (readonly [string, string])[] = [
  ['\x89PNG', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF8', 'GIF image'],
  ['RIFF', 'RIFF media'],
  ['%PDF', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['7z\xbc\xaf', '7z archive'],
  ['\x7fELF', 'ELF program'],
  ['\xcf\xfa\xed\xfe', 'Mach-O program'],
  ['MZ', 'Windows program'],
  ['\0asm', 'WebAssembly module'],
  ['SQLite format 3', 'SQLite database'],
  ['\xca\xfe\xba\xbe', 'Java class']
]

function count(text: string, part: string): number {
  let found = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found += 1
  return found
}
