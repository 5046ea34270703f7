import { type Cue, formatWebvtt } from '#lib/core/shared/text/webvtt.ts'

/** Downloads captions as a file. */
export function downloadCaptions(name: string, cues: readonly Cue[]): void {
  const address = URL.createObjectURL(new Blob([formatWebvtt(cues)], { type: 'text/vtt' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
