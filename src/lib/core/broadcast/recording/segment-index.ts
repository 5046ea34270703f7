import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/*
 * `<directory>/<stream>/index.jsonl`: a line when a segment begins and one when it ended well. A line that a crash cut
 * off says nothing; the segment's file then says how long it is.
 */

const Begun = z.object({
  n: z.number().int(),
  /** Wall clock of its first frame, ms since 1970. */
  at: z.number(),
  codec: z.enum(['VP8', 'H264']).nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** AVCDecoderConfigurationRecord of H.264 in base64. */
  setup: z.string().optional(),
})
const Ended = z.object({ n: z.number().int(), until: z.number(), sound: z.boolean() })

export type Begun = z.infer<typeof Begun>
export type Ended = z.infer<typeof Ended>

export interface Segment extends Begun {
  path: string
  /** Wall clock behind its last frame; null when it did not end well. */
  until: number | null
}

export const INDEX = 'index.jsonl'
export const segmentName = (n: number): string => `${String(n).padStart(6, '0')}.mkv`
export const lineOf = (entry: Begun | Ended): string => `${JSON.stringify(entry)}\n`

/** Segments of a stream in the order of their numbers; none when there is no index. */
export async function readIndex(folder: string): Promise<Segment[]> {
  const text = await readFile(path.join(folder, INDEX), 'utf8').catch(() => '')
  const found = new Map<number, Segment>()
  for (const line of text.split('\n')) {
    const entry = parsed(line)
    const begun = Begun.safeParse(entry)
    if (begun.success)
      found.set(begun.data.n, { ...begun.data, path: path.join(folder, segmentName(begun.data.n)), until: null })
    const ended = Ended.safeParse(entry)
    const known = ended.success ? found.get(ended.data.n) : undefined
    if (ended.success && known) known.until = ended.data.until
  }
  return [...found.values()].sort((a, b) => a.n - b.n)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
