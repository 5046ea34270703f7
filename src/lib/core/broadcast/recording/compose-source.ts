import { open, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { VideoFormat } from '../frames/depacketizer.ts'
import type { Span } from './compose-plan.ts'
import { AUDIO_TRACK, createClusters, matroskaHead, type Tracks, VIDEO_TRACK } from './matroska.ts'
import { type Block, blocksOf } from './matroska-read.ts'
import { readIndex, type Segment } from './segment-index.ts'

export interface RecordedStream {
  name: string
  segments: Segment[]
}

/** Streams that were recorded in a directory, by name. */
export async function readStreams(directory: string): Promise<RecordedStream[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const streams = await Promise.all(
    names.sort().map(async (name) => ({
      name,
      segments: await Promise.all((await readIndex(path.join(directory, name))).map(ended)),
    })),
  )
  return streams.filter(({ segments }) => segments.length > 0)
}

/** Spans of the pictures of a stream. */
export const spansOf = ({ name, segments }: RecordedStream): Span[] =>
  segments.flatMap(({ at, until, codec, width, height }) =>
    width && height && until !== null ? [{ stream: name, from: at, until, codec, width, height }] : [],
  )

// The last before a crash does not say how long it is; its blocks do.
async function ended(segment: Segment): Promise<Segment> {
  if (segment.until !== null) return segment
  let last = 0
  for await (const { at } of blocks(segment)) last = Math.max(last, at)
  return { ...segment, until: segment.at + last + 20 }
}

async function* blocks({ path: file }: Segment): AsyncGenerator<Block> {
  yield* blocksOf(await readFile(file).catch(() => Buffer.alloc(0)))
}

// 20 ms of nothing (RFC 6716, a CELT frame of silence): what begins at 0 is not moved to begin there.
const SILENCE = Buffer.of(0xfc, 0xff, 0xfe)

interface Part {
  /** Wall clock in ms: what lies outside is left out. */
  from: number
  until: number
}

/** A picture of one shape in a file of its own, and the wall clock of its first frame; null when nothing is there. */
export async function cutPicture(
  { segments }: RecordedStream,
  { from, until }: Part,
  file: string,
): Promise<{ at: number } | null> {
  const within = segments.filter(({ at, width, until: end }) => width && at < until && (end ?? at) > from)
  // A codec or a size that changed begins a scene of its own: what reaches in from before is of no use here.
  const last = within.at(-1)
  const fitting = within.filter(
    ({ codec, width, height }) => codec === last?.codec && width === last?.width && height === last?.height,
  )
  const [first] = fitting
  if (!first) return null
  const shape = shapeOf(first)
  if (!shape) return null
  await writeBlocks(file, { video: shape, audio: false }, fitting, first.at, VIDEO_TRACK)
  return { at: first.at }
}

/** All sound of a stream within a time, as it stood on the wall clock, `from` at 0; false when there is none. */
export async function cutSound({ segments }: RecordedStream, { from, until }: Part, file: string): Promise<boolean> {
  const within = segments.filter(({ at, until: end }) => at < until && (end ?? at) > from)
  return writeBlocks(file, { video: null, audio: true }, within, from, AUDIO_TRACK, SILENCE)
}

async function writeBlocks(
  file: string,
  tracks: Tracks,
  segments: readonly Segment[],
  zero: number,
  track: number,
  opening?: Buffer,
): Promise<boolean> {
  const handle = await open(file, 'w')
  let last = -1
  try {
    await handle.write(matroskaHead(tracks))
    const block = createClusters()
    if (opening) await handle.write(Buffer.concat(block(track, 0, true, opening)))
    for (const segment of segments) {
      const parts: Buffer[] = []
      for await (const one of blocks(segment)) {
        const at = segment.at + one.at - zero
        if (at < 0 || at <= last || one.track !== track) continue
        last = at
        parts.push(...block(track, at, one.key, one.data))
      }
      await handle.write(Buffer.concat(parts))
    }
  } finally {
    await handle.close()
  }
  return last >= 0
}

// Of H.264 the key frame carries its parameter sets, but a file must begin with them.
function shapeOf(segment: Segment): VideoFormat | null {
  const { codec, width, height, setup } = segment
  if (!codec || !width || !height) return null
  return { codec, width, height, ...(setup && { decoderConfiguration: Buffer.from(setup, 'base64') }) }
}
