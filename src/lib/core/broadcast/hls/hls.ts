import { mkdir, rm } from 'node:fs/promises'
import { type Encoder, findEncoder } from '../../media/encoder.ts'
import { isSameFormat, type VideoFormat } from '../frames/depacketizer.ts'
import { type Frame, readFrames } from '../frames/frame-reader.ts'
import type { PacketSource } from '../frames/packet-source.ts'
import type { Tracks } from '../recording/matroska.ts'
import { createSegmentStore } from './segment-store.ts'
import { type HlsTranscoder, startTranscoder } from './transcoder.ts'

const POLL_INTERVAL_MS = 200
/** Every segment starts with a keyframe, so one is requested each second. */
const KEYFRAME_INTERVAL_MS = 1000
/** Time without a frame after which a track counts as ended, and time for which the start waits for both tracks. */
const TRACK_TIMEOUT_MS = 2000
const TRACK_WAIT_MS = 800
/** Delay before ffmpeg is started again after a crash. */
const RETRY_DELAY_MS = 1000

export interface HlsOutput {
  readonly directory: string
  /** Another publisher of the stream; null while there is none. */
  attachSource(tapped: PacketSource | null): void
  stop(): Promise<void>
}

/**
 * Writes `live.m3u8` (video and audio) and `audio.m3u8` (audio only, about 40 kbit/s) of a stream into a directory,
 * with segments of about a second. H.264 is copied, VP8 is transcoded. A new ffmpeg starts when a track starts, ends or
 * changes its format, or when ffmpeg crashes; the playlists continue. `onError` gets the reason of a crash or of a
 * failed write. The directory is used only after `directoryFree`, which must not reject.
 */
export function startHls(
  directory: string,
  initialSource: PacketSource | null,
  onError: (message: string) => void,
  directoryFree: Promise<unknown> = Promise.resolve(),
): HlsOutput {
  const segmentStore = createSegmentStore(directory)
  const lastFrameAt = { video: 0, audio: 0 }
  let shape: VideoFormat | null = null
  let stopReading = () => {}
  let source: PacketSource | null = null
  let attachedAt = 0
  let encoder: Encoder | null = null
  let transcoder: HlsTranscoder | null = null
  // File names are never reused, since segments are cached.
  const namePrefix = Date.now().toString(36)
  let transcoderCount = 0
  let retryAt = 0
  let lastError = ''
  const prepared = prepare().catch(reportError)
  const pollTimer = setInterval(() => void segmentStore.poll().catch(reportError), POLL_INTERVAL_MS)
  const keyframeTimer = setInterval(() => source?.requestKeyframe(), KEYFRAME_INTERVAL_MS)
  attachSource(initialSource)

  // A full disk fails at each poll: the error is reported once, and output resumes when there is space.
  function reportError(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== lastError) onError(message)
    lastError = message
  }

  async function prepare(): Promise<void> {
    await directoryFree
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true, mode: 0o700 })
    encoder = await findEncoder()
    if (!encoder) onError('no ffmpeg')
    source?.requestKeyframe()
  }

  function attachSource(next: PacketSource | null): void {
    stopReading()
    endTranscoder()
    source = next
    attachedAt = Date.now()
    stopReading = next ? readFrames(next, receiveFrame) : () => {}
    next?.requestKeyframe()
  }

  function receiveFrame(frame: Frame): void {
    lastFrameAt[frame.kind] = frame.capturedAt
    if (frame.format) shape = frame.format
    if (encoder && needsTranscoder(frame)) restartTranscoder(encoder, frame.capturedAt)
    transcoder?.writeFrame(frame)
  }

  /** Whether a new transcoder is needed and can start with this frame. */
  function needsTranscoder({ kind, capturedAt, isKey }: Frame): boolean {
    const now = tracksAt(capturedAt)
    if (Date.now() < retryAt || !(now.video ? kind === 'video' && isKey : kind === 'audio')) return false
    if (transcoder) return !isSameFormat(transcoder.tracks.video, now.video) || transcoder.tracks.audio !== now.audio
    const isWaiting = (source?.codec && !now.video) || (source?.kinds.includes('audio') && !now.audio)
    return !isWaiting || Date.now() - attachedAt > TRACK_WAIT_MS
  }

  function tracksAt(at: number): Tracks {
    return {
      video: at - lastFrameAt.video < TRACK_TIMEOUT_MS ? shape : null,
      audio: at - lastFrameAt.audio < TRACK_TIMEOUT_MS,
    }
  }

  function restartTranscoder(ffmpeg: Encoder, at: number): void {
    endTranscoder()
    transcoderCount += 1
    const started = startTranscoder(ffmpeg, directory, `${namePrefix}-${transcoderCount}`, tracksAt(at), at)
    transcoder = started
    segmentStore.add(started)
    void started.ended.then((message) => {
      if (transcoder !== started) return
      transcoder = null
      retryAt = Date.now() + RETRY_DELAY_MS
      onError(message)
    })
  }

  function endTranscoder(): void {
    transcoder?.close()
    transcoder = null
  }

  return {
    directory,
    attachSource,
    async stop() {
      clearInterval(pollTimer)
      clearInterval(keyframeTimer)
      attachSource(null)
      await prepared
      await segmentStore.close().catch(reportError)
    },
  }
}
