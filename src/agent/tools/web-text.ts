import { Parser } from 'htmlparser2'
import { bomLength, bomOf } from './file-text.ts'
import type { WebPage } from './web.ts'

const sniffedBytes = 8192

/** Whether a content type is one of text; an empty one is decided by its bytes (TOOL-082). */
export function isTextType(type: string): boolean {
  return (
    type === '' ||
    type.startsWith('text/') ||
    /^application\/(?:.+\+)?(?:json|xml)$/.test(type) ||
    type.endsWith('+xml')
  )
}

/** No type named, and no text either. */
export const isUnnamedBinary = ({ type, bytes }: WebPage) => type === '' && bytes.subarray(0, sniffedBytes).includes(0)

/** HTML by its type or, where none is named, by its first bytes. */
export function isHtml({ type, bytes }: WebPage): boolean {
  if (type !== '') return type === 'text/html' || type === 'application/xhtml+xml'
  const start = bytes.subarray(0, 1024).toString('latin1').trimStart().toLowerCase()
  return start.startsWith('<!doctype html') || start.startsWith('<html')
}

/** The page's characters, by the charset of its header, its own `<meta>`, its byte order mark, else UTF-8 (TOOL-083). */
export function decodePage(page: WebPage): string {
  const bom = bomOf(page.bytes)
  const labels = [page.charset, isHtml(page) ? metaCharset(page.bytes) : null, bom, 'utf-8']
  const decoder = labels.map(decoderFor).find((found) => found !== null) ?? new TextDecoder()
  // As a stream, so that a letter cut by the size limit leaves no mark.
  return decoder.decode(page.bytes.subarray(bomLength(bom)), { stream: true })
}

function decoderFor(label: string | null): TextDecoder | null {
  if (label === null) return null
  try {
    return new TextDecoder(label)
  } catch {
    // An unknown name says nothing; the next source decides.
    return null
  }
}

function metaCharset(bytes: Buffer): string | null {
  let found: string | null = null
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== 'meta' || found !== null) return
      if (attributes.charset !== undefined) found = attributes.charset.trim()
      else if (attributes['http-equiv']?.toLowerCase() === 'content-type')
        found = /charset\s*=\s*["']?([\w.:-]+)/i.exec(attributes.content ?? '')?.[1] ?? null
    }
  })
  parser.write(bytes.subarray(0, sniffedBytes).toString('latin1'))
  parser.end()
  return found
}

// Controls except LF and TAB; marks that are invisible or turn the direction of text; letters that only carry hidden messages.
const unwanted =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu

/** Text of the web without what a reader could not see (TOOL-085). */
export function cleanWebText(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(unwanted, '')
}
