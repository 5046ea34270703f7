import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

/*
 * `<directory>/<stream>/index.jsonl`: a line when a segment begins and one when it ended well. A line that a crash cut
 * off says nothing; the segment's file then says how long it is.
 */

const SegmentStart = z.object({
  nextNumber: z.number().int(),
  /** Wall clock of its first frame, ms since 1970. */
  at: z.number(),
  codec: z.enum(['VP8', 'H264']).nullable(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  /** AVCDecoderConfigurationRecord of H.264 in base64. */
  setup: z.string().optional(),
})
const SegmentEnd = z.object({ nextNumber: z.number().int(), until: z.number(), receiveAudio: z.boolean() })

export type SegmentStart = z.infer<typeof SegmentStart>
export type SegmentEnd = z.infer<typeof SegmentEnd>

export interface RecordingSegment extends SegmentStart {
  path: string
  /** Wall clock behind its last frame; null when it did not end well. */
  until: number | null
}

export const INDEX_FILE = 'index.jsonl'
export const segmentFileName = (number: number): string => `${String(number).padStart(6, '0')}.mkv`
export const formatIndexEntry = (entry: SegmentStart | SegmentEnd): string => `${JSON.stringify(entry)}\n`

/** Segments of a stream in the order of their numbers; none when there is no index. */
export async function readIndex(folder: string): Promise<RecordingSegment[]> {
  const text = await readFile(path.join(folder, INDEX_FILE), 'utf8').catch(() => '')
  const segments = new Map<number, RecordingSegment>()
  for (const line of text.split('\n')) {
    const entry = parseJson(line)
    const start = SegmentStart.safeParse(entry)
    if (start.success)
      segments.set(start.data.nextNumber, {
        ...start.data,
        path: path.join(folder, segmentFileName(start.data.nextNumber)),
        until: null,
      })
    const end = SegmentEnd.safeParse(entry)
    const segment = end.success ? segments.get(end.data.nextNumber) : undefined
    if (end.success && segment) segment.until = end.data.until
  }
  return [...segments.values()].sort((a, b) => a.nextNumber - b.nextNumber)
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
