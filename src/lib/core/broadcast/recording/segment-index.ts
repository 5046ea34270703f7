import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { parseJson } from '#lib/core/shared/text/json.ts'

/*
 * `<directory>/<stream>/index.jsonl`: one line at the start of a segment and one when it was closed. A line that a
 * crash truncated is ignored; the duration is then read from the segment file.
 */

const SegmentStart = z.object({
  n: z.number().int(),
  /** Wall-clock time of the first frame, ms since 1970. */
  at: z.number(),
  codec: z.enum(['VP8', 'H264']).nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** AVCDecoderConfigurationRecord of H.264 in base64. */
  setup: z.string().optional(),
})
const SegmentEnd = z.object({ n: z.number().int(), until: z.number(), sound: z.boolean() })

export type SegmentStart = z.infer<typeof SegmentStart>
export type SegmentEnd = z.infer<typeof SegmentEnd>

export interface RecordingSegment extends SegmentStart {
  path: string
  /** Wall-clock time of the end of the last frame; null when the segment was not closed. */
  until: number | null
}

export const INDEX_FILE = 'index.jsonl'
export const segmentFileName = (number: number): string => `${String(number).padStart(6, '0')}.mkv`
export const formatIndexEntry = (entry: SegmentStart | SegmentEnd): string => `${JSON.stringify(entry)}\n`

/** Segments of a stream by number; empty without an index. */
export async function readIndex(folder: string): Promise<RecordingSegment[]> {
  const text = await readFile(path.join(folder, INDEX_FILE), 'utf8').catch(() => '')
  const segments = new Map<number, RecordingSegment>()
  for (const line of text.split('\n')) {
    const entry = parseJson(line)
    const start = SegmentStart.safeParse(entry)
    if (start.success)
      segments.set(start.data.n, {
        ...start.data,
        path: path.join(folder, segmentFileName(start.data.n)),
        until: null,
      })
    const end = SegmentEnd.safeParse(entry)
    const segment = end.success ? segments.get(end.data.n) : undefined
    if (end.success && segment) segment.until = end.data.until
  }
  return [...segments.values()].sort((a, b) => a.n - b.n)
}
