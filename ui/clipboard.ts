/** What a terminal takes as one OSC 52, in base64 characters; beyond it most drop the whole. */
const CLIPBOARD_MAX = 74_994

/** The bytes that offer text to the terminal's clipboard, or null when it is too long for that (TERM-23). */
export function clipboardOffer(text: string): string | null {
  const encoded = Buffer.from(text).toString('base64')
  return encoded.length <= CLIPBOARD_MAX ? `\x1b]52;c;${encoded}\x07` : null
}
