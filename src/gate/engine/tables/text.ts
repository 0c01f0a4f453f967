/** A value as an error may quote it: no control characters, at most 64 characters (PERS-230). */
export function cutText(value: string): string {
  return Array.from(value.replace(/[\p{Cc}\p{Cf}]/gu, ''))
    .slice(0, 64)
    .join('')
}
