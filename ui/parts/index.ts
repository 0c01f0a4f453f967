export { type BorderPlace, borderLine } from './border.ts'
export { durationText } from './duration.ts'
export {
  cutLine,
  emptyLine,
  justified,
  line,
  lineText,
  markMatches,
  prefixed,
  span,
  wrapHanging,
  wrapSpans
} from './lines.ts'
export { listOffset, listRow } from './list.ts'
export { Pane } from './pane.tsx'
export { bytesText, countText, progressBar } from './progress.ts'
export { PaintedLine, TextLine } from './text-line.tsx'
