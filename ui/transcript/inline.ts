import type { Token, Tokens } from 'marked'
import type { Span, Style } from '../theme/style.ts'

/** Inline Markdown as spans. Links are shown as text with their address, never as terminal links (TOOL-127). */
export function inlineSpans(tokens: readonly Token[], style: Style = {}): Span[] {
  const spans: Span[] = []
  for (const token of tokens) spans.push(...tokenSpans(token, style))
  return spans
}

function tokenSpans(token: Token, style: Style): Span[] {
  switch (token.type) {
    case 'strong':
      return children(token, { ...style, bold: true })
    case 'em':
      return children(token, { ...style, italic: true })
    case 'del':
      return [{ text: '~~', style: dim(style) }, ...children(token, dim(style)), { text: '~~', style: dim(style) }]
    case 'codespan':
      return [{ text: (token as Tokens.Codespan).text, style: { ...style, tone: 'accent' } }]
    case 'link': {
      const { href, text } = token as Tokens.Link
      const label = children(token, { ...style, underline: true })
      return href === text || href === `mailto:${text}` ? label : [...label, { text: ` (${href})`, style: dim(style) }]
    }
    case 'image': {
      const { href, text } = token as Tokens.Image
      return [{ text: text === '' ? href : `${text} (${href})`, style: dim(style) }]
    }
    case 'br':
      return [{ text: '\n', style }]
    case 'html':
      return [{ text: token.raw, style: dim(style) }]
    case 'escape':
      return [{ text: (token as Tokens.Escape).text, style }]
    case 'text':
      return 'tokens' in token && token.tokens !== undefined
        ? children(token, style)
        : [{ text: (token as Tokens.Text).text, style }]
    default:
      return [{ text: token.raw, style }]
  }
}

function children(token: Token, style: Style): Span[] {
  return 'tokens' in token && token.tokens !== undefined
    ? inlineSpans(token.tokens, style)
    : [{ text: token.raw, style }]
}

function dim(style: Style): Style {
  return { ...style, tone: 'dim' }
}
