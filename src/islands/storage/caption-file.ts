import { type Cue, writeWebvtt } from '#lib/core/shared/webvtt.ts'

/** Old Ukrainian SubRip files are often written so; bytes that are no UTF-8 at all. */
const OLD = 'windows-1251'

/** The text of a captions file; null when it is none. */
export function readText(bytes: Uint8Array<ArrayBuffer>): string | null {
  const [first, second] = bytes
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null
  if (wide) return new TextDecoder(wide).decode(bytes)
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder(OLD).decode(bytes)
  }
}

/** Hands captions to the person as a file. */
export function giveFile(name: string, cues: readonly Cue[]): void {
  const address = URL.createObjectURL(new Blob([writeWebvtt(cues)], { type: 'text/vtt' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
