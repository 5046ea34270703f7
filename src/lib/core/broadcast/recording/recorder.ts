import path from 'node:path'
import { isSameFormat, type VideoFormat } from '../frames/depacketizer.ts'
import { type Frame, readFrames } from '../frames/frame-reader.ts'
import type { PacketSource } from '../frames/packet-source.ts'
import { type AppendFile, openAppendFile } from './append-file.ts'
import { AUDIO_TRACK, createClusterWriter, createHeader, VIDEO_TRACK } from './matroska.ts'
import { formatIndexEntry, INDEX_FILE, readIndex, segmentFileName } from './segment-index.ts'

/** Duration after which a segment ends at the next keyframe, and after which a keyframe is requested. */
const MIN_SEGMENT_MS = 4000
const MAX_SEGMENT_MS = 8000
/**
 * Time without video after which audio is recorded alone, and delay up to which audio is added to the previous segment.
 */
const VIDEO_TIMEOUT_MS = 2000
const MAX_DELAY_MS = 1000
/** Duration of the last frame of a segment, whose successor is unknown. */
const FRAME_DURATION_MS = { audio: 20, video: 40 }

interface OpenSegment {
  number: number
  startedAt: number
  endedAt: number
  format: VideoFormat | null
  hasAudio: boolean
  file: AppendFile
  writeBlock: ReturnType<typeof createClusterWriter>
}

export interface StreamRecorder {
  /** Resolves when everything is written to disk. */
  stop(): Promise<void>
}

/**
 * Records a publisher into `<directory>/<stream>/000001.mkv …`: segments of about four seconds that begin with a
 * keyframe, and an index with their wall-clock times (see segment-index.ts). Frames are written within a quarter of a
 * second, so that little is lost when a process is killed. Segment numbers continue those of an earlier recording.
 * `onError` gets write errors; every new segment tries again. Starts after `previousStop`, the end of another recorder
 * in the same folder; frames that arrive before are queued.
 */
export function recordStream(
  source: PacketSource,
  folder: string,
  onError: (error: Error) => void,
  previousStop: Promise<unknown> = Promise.resolve(),
): StreamRecorder {
  const index = openAppendFile(path.join(folder, INDEX_FILE), onError)
  let nextNumber: number | null = null
  let current: OpenSegment | null = null
  let previous: OpenSegment | null = null
  let closing: Promise<unknown> = Promise.resolve()
  let lastVideoAt = Number.NEGATIVE_INFINITY
  const openedAt = Date.now()
  const queued: Frame[] = []
  const numbered = previousStop
    .then(() => readIndex(folder))
    .then((segments) => {
      nextNumber = (segments.at(-1)?.n ?? 0) + 1
      for (const frame of queued.splice(0)) receiveFrame(frame)
    })
  const stopReading = readFrames(source, (frame) => (nextNumber === null ? queued.push(frame) : receiveFrame(frame)))
  source.requestKeyframe()

  function receiveFrame(frame: Frame): void {
    if (frame.kind === 'video') receiveVideo(frame)
    else receiveAudio(frame)
  }

  function receiveVideo(frame: Frame): void {
    lastVideoAt = frame.capturedAt
    const age = current ? frame.capturedAt - current.startedAt : 0
    // Parameter sets may change at any keyframe, and a decoder needs them at the start of a file.
    const hasFormatChanged = !isSameFormat(current?.format ?? null, frame.format ?? null)
    if (frame.isKey && (age >= MIN_SEGMENT_MS || hasFormatChanged || age < -MAX_DELAY_MS)) startSegment(frame)
    else if (!current?.format || age > MAX_SEGMENT_MS) source.requestKeyframe()
    if (current?.format) writeFrame(current, VIDEO_TRACK, frame)
  }

  function receiveAudio(frame: Frame): void {
    const isVideoMissing =
      frame.capturedAt - Math.max(lastVideoAt, source.codec ? openedAt : lastVideoAt) > VIDEO_TIMEOUT_MS
    const needsSegment =
      !current ||
      frame.capturedAt - current.startedAt > MAX_SEGMENT_MS ||
      current.startedAt - frame.capturedAt > MAX_DELAY_MS
    if (needsSegment && (isVideoMissing || !source.codec)) startSegment(frame)
    if (!current) return
    const segment = frame.capturedAt < current.startedAt ? previous : current
    if (segment) writeFrame(segment, AUDIO_TRACK, frame)
  }

  function startSegment(frame: Frame): void {
    const { capturedAt } = frame
    const format = frame.format ?? null
    endSegment(previous)
    previous = current
    const number = nextNumber ?? 1
    nextNumber = number + 1
    const file = openAppendFile(path.join(folder, segmentFileName(number)), onError)
    file.append([createHeader({ video: format, audio: true })])
    current = {
      number,
      startedAt: capturedAt,
      endedAt: capturedAt,
      format,
      hasAudio: false,
      file,
      writeBlock: createClusterWriter(),
    }
    const setup = format?.decoderConfiguration ? { setup: format.decoderConfiguration.toString('base64') } : {}
    const { codec, width, height } = format ?? { codec: null, width: null, height: null }
    index.append([Buffer.from(formatIndexEntry({ n: number, at: capturedAt, codec, width, height, ...setup }))])
  }

  function writeFrame(segment: OpenSegment, track: number, { kind, capturedAt: at, isKey, data }: Frame): void {
    if (at < segment.startedAt) return
    if (!segment.file.append(segment.writeBlock(track, at - segment.startedAt, isKey, data))) {
      source.requestKeyframe()
      return
    }
    segment.endedAt = Math.max(segment.endedAt, at + FRAME_DURATION_MS[kind])
    if (kind === 'audio') segment.hasAudio = true
  }

  function endSegment(segment: OpenSegment | null): void {
    if (!segment) return
    const { number, endedAt, hasAudio } = segment
    closing = Promise.all([closing, segment.file.close()])
    index.append([Buffer.from(formatIndexEntry({ n: number, until: endedAt, sound: hasAudio }))])
  }

  return {
    async stop() {
      stopReading()
      await numbered
      endSegment(previous)
      endSegment(current)
      previous = current = null
      await closing
      await index.close()
    },
  }
}
