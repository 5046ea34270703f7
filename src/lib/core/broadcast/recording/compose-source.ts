import { access, open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { VideoFormat } from '../frames/depacketizer.ts'
import type { TimeSpan } from './compose-plan.ts'
import { AUDIO_TRACK, createClusterWriter, createHeader, type Tracks, VIDEO_TRACK } from './matroska.ts'
import { type Block, readBlocks } from './matroska-read.ts'
import { type RecordingSegment, readIndex } from './segment-index.ts'
import { isInRanges, type TimeRange } from './time-range.ts'

export interface RecordedStream {
  name: string
  segments: RecordingSegment[]
}

/** Recorded streams of a directory, by name. */
export async function readRecordedStreams(directory: string): Promise<RecordedStream[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const streams = await Promise.all(
    names.sort().map(async (name) => ({
      name,
      segments: await readSegments(path.join(directory, name)),
    })),
  )
  return streams.filter(({ segments }) => segments.length > 0)
}

// Segments may have been deleted since (delete-recording.ts); their lines stay in the index.
async function readSegments(folder: string): Promise<RecordingSegment[]> {
  const segments: RecordingSegment[] = []
  for (const segment of await readIndex(folder)) {
    const exists = await access(segment.path).then(
      () => true,
      () => false,
    )
    if (exists) segments.push(await withEnd(segment))
  }
  return segments
}

/** Video spans of a stream. */
export const videoSpans = ({ name, segments }: RecordedStream): TimeSpan[] =>
  segments.flatMap(({ at, until, codec, width, height }) =>
    width && height && until !== null ? [{ stream: name, from: at, until, codec, width, height }] : [],
  )

// A segment that was not closed gets its end from its last block.
async function withEnd(segment: RecordingSegment): Promise<RecordingSegment> {
  if (segment.until !== null) return segment
  let last = 0
  for await (const { timeMs } of readSegmentBlocks(segment)) last = Math.max(last, timeMs)
  return { ...segment, until: segment.at + last + 20 }
}

async function* readSegmentBlocks({ path: file }: RecordingSegment): AsyncGenerator<Block> {
  yield* readBlocks(await readFile(file).catch(() => Buffer.alloc(0)))
}

// 20 ms of silence (RFC 6716, CELT): a block at time 0 keeps players from shifting later audio to the start.
const SILENCE = Buffer.of(0xfc, 0xff, 0xfe)

/** Writes the video of one format to a file. Returns the wall-clock time of its first frame; null without video. */
export async function cutVideo(
  { segments }: RecordedStream,
  { from, until }: TimeRange,
  file: string,
): Promise<{ at: number } | null> {
  const inRange = segments.filter(({ at, width, until: end }) => width && at < until && (end ?? at) > from)
  // A change of codec or size starts a new scene, so segments of an earlier format are not needed.
  const last = inRange.at(-1)
  const matching = inRange.filter(
    ({ codec, width, height }) => codec === last?.codec && width === last?.width && height === last?.height,
  )
  const [first] = matching
  if (!first) return null
  const shape = videoFormat(first)
  if (!shape) return null
  await writeBlocks(file, { video: shape, audio: false }, matching, first.at, VIDEO_TRACK)
  return { at: first.at }
}

/**
 * Writes the audio of a stream with its wall-clock timing, `from` at 0, without what is outside of `stageTimes`. Returns
 * false without audio.
 */
export async function cutAudio(
  { segments }: RecordedStream,
  { from, until }: TimeRange,
  file: string,
  stageTimes: readonly TimeRange[],
): Promise<boolean> {
  const inRange = segments.filter(({ at, until: end }) => at < until && (end ?? at) > from)
  const isIncluded = (at: number) => isInRanges(at, stageTimes)
  return writeBlocks(file, { video: null, audio: true }, inRange, from, AUDIO_TRACK, {
    isIncluded,
    firstBlock: SILENCE,
  })
}

async function writeBlocks(
  file: string,
  tracks: Tracks,
  segments: readonly RecordingSegment[],
  originMs: number,
  track: number,
  { firstBlock, isIncluded = () => true }: { firstBlock?: Buffer; isIncluded?: (at: number) => boolean } = {},
): Promise<boolean> {
  const handle = await open(file, 'w')
  let last = -1
  try {
    await handle.write(createHeader(tracks))
    const writeBlock = createClusterWriter()
    if (firstBlock) await handle.write(Buffer.concat(writeBlock(track, 0, true, firstBlock)))
    for (const segment of segments) {
      const parts: Buffer[] = []
      for await (const block of readSegmentBlocks(segment)) {
        const at = segment.at + block.timeMs - originMs
        if (at < 0 || at <= last || block.track !== track || !isIncluded(originMs + at)) continue
        last = at
        parts.push(...writeBlock(track, at, block.isKey, block.data))
      }
      await handle.write(Buffer.concat(parts))
    }
  } finally {
    await handle.close()
  }
  return last >= 0
}

// A Matroska file has to start with the H.264 parameter sets.
function videoFormat(segment: RecordingSegment): VideoFormat | null {
  const { codec, width, height, setup } = segment
  if (!codec || !width || !height) return null
  return { codec, width, height, ...(setup && { decoderConfiguration: Buffer.from(setup, 'base64') }) }
}
