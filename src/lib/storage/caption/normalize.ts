import { Refusal } from '#lib/core/http/refusal.ts'
import { MAX_CAPTION_BYTES } from '#lib/core/shared/stored-file.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import type { NormalizedCaptions, parseCaptions } from './worker.ts'

const parseInWorker = workerTask<typeof parseCaptions>({
  file: 'src/lib/storage/caption/worker.ts',
  name: 'parseCaptions',
  lane: 'request',
  limitMs: 10_000,
  field: 'text',
})

/**
 * Converts WebVTT or SubRip to normalized WebVTT. With `skipInvalid` invalid captions are skipped and reported, as long
 * as one is valid. Refuses with too_large (1 MB before or after), invalid with the line of the invalid caption,
 * unprocessable (parse_too_complex), too_many (parse_busy).
 */
export async function normalizeCaptions(text: string, { skipInvalid = false } = {}): Promise<NormalizedCaptions> {
  requireSize(text)
  const parsed = await parseInWorker({ text, skipInvalid })
  if ('fault' in parsed) {
    const { fault, line, words } = parsed
    throw new Refusal('invalid', { fields: { text: [fault] }, variables: { line, words }, data: { line } })
  }
  requireSize(parsed.written)
  return parsed
}

function requireSize(text: string): void {
  if (Buffer.byteLength(text) > MAX_CAPTION_BYTES)
    throw new Refusal('too_large', { fields: { text: ['caption_too_large'] } })
}
