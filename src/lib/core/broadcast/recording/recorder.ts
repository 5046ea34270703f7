import path from 'node:path'
import { isSameFormat, type VideoFormat } from '../frames/depacketizer.ts'
import { type Frame, readFrames } from '../frames/frame-reader.ts'
import type { PacketSource } from '../frames/packet-source.ts'
import { type Appending, appendTo } from './append-file.ts'
import { AUDIO_TRACK, createClusters, matroskaHead, VIDEO_TRACK } from './matroska.ts'
import { INDEX, lineOf, readIndex, segmentName } from './segment-index.ts'

/** Ms after which a segment ends at the next key frame, and after which one is asked for. */
const LONG_ENOUGH = 4000
const TOO_LONG = 8000
/** Ms without a picture after which sound is kept alone, and in which a late sound still finds its segment. */
const NO_PICTURE = 2000
const LATE = 1000
/** Length of a frame of a kind, in ms, where the next one is not known. */
const LASTS = { audio: 20, video: 40 }

interface Open {
  n: number
  at: number
  until: number
  shape: VideoFormat | null
  sound: boolean
  file: Appending
  block: ReturnType<typeof createClusters>
}

export interface Recorder {
  /** Ends when everything is on the disk. */
  stop(): Promise<void>
}

/**
 * Records a publisher into `<directory>/<stream>/000001.mkv …`, segments of about four seconds that each begin with a key
 * frame, as the frames came, with an index of their wall clock beside (see record-index.ts). What came is on the disk a
 * quarter of a second later, so little is lost whatever is killed. Numbers go on where an earlier recording ended.
 * `failed` hears of a disk that takes no more; another try is made with each segment. It begins when `earlier`, the end of
 * another recorder in the same folder, is done; what comes meanwhile is kept.
 */
export function recordStream(
  tapped: PacketSource,
  folder: string,
  failed: (error: Error) => void,
  earlier: Promise<unknown> = Promise.resolve(),
): Recorder {
  const index = appendTo(path.join(folder, INDEX), failed)
  let n: number | null = null
  let open: Open | null = null
  let before: Open | null = null
  let closing: Promise<unknown> = Promise.resolve()
  let pictureAt = Number.NEGATIVE_INFINITY
  const begun = Date.now()
  const early: Frame[] = []
  const counted = earlier
    .then(() => readIndex(folder))
    .then((segments) => {
      n = (segments.at(-1)?.n ?? 0) + 1
      for (const frame of early.splice(0)) take(frame)
    })
  const release = readFrames(tapped, (frame) => (n === null ? early.push(frame) : take(frame)))
  tapped.requestKeyframe()

  function take(frame: Frame): void {
    if (frame.kind === 'video') picture(frame)
    else sound(frame)
  }

  function picture(frame: Frame): void {
    pictureAt = frame.capturedAt
    const age = open ? frame.capturedAt - open.at : 0
    // A decoder must be told where parameter sets change, which they do whenever an encoder changes its mind.
    const other = !isSameFormat(open?.shape ?? null, frame.format ?? null)
    if (frame.isKey && (age >= LONG_ENOUGH || other || age < -LATE)) begin(frame)
    else if (!open?.shape || age > TOO_LONG) tapped.requestKeyframe()
    if (open?.shape) write(open, VIDEO_TRACK, frame)
  }

  function sound(frame: Frame): void {
    const noPicture = frame.capturedAt - Math.max(pictureAt, tapped.codec ? begun : pictureAt) > NO_PICTURE
    const over = !open || frame.capturedAt - open.at > TOO_LONG || open.at - frame.capturedAt > LATE
    if (over && (noPicture || !tapped.codec)) begin(frame)
    if (!open) return
    const place = frame.capturedAt < open.at ? before : open
    if (place) write(place, AUDIO_TRACK, frame)
  }

  function begin(frame: Frame): void {
    const { capturedAt } = frame
    const shape = frame.format ?? null
    end(before)
    before = open
    const number = n ?? 1
    n = number + 1
    const file = appendTo(path.join(folder, segmentName(number)), failed)
    file.write([matroskaHead({ video: shape, audio: true })])
    open = { n: number, at: capturedAt, until: capturedAt, shape, sound: false, file, block: createClusters() }
    const setup = shape?.decoderConfiguration ? { setup: shape.decoderConfiguration.toString('base64') } : {}
    const { codec, width, height } = shape ?? { codec: null, width: null, height: null }
    index.write([Buffer.from(lineOf({ n: number, at: capturedAt, codec, width, height, ...setup }))])
  }

  function write(place: Open, track: number, { kind, capturedAt: at, isKey, data }: Frame): void {
    if (at < place.at) return
    if (!place.file.write(place.block(track, at - place.at, isKey, data))) {
      tapped.requestKeyframe()
      return
    }
    place.until = Math.max(place.until, at + LASTS[kind])
    if (kind === 'audio') place.sound = true
  }

  function end(place: Open | null): void {
    if (!place) return
    const { n: number, until, sound } = place
    closing = Promise.all([closing, place.file.close()])
    index.write([Buffer.from(lineOf({ n: number, until, sound }))])
  }

  return {
    async stop() {
      release()
      await counted
      end(before)
      end(open)
      before = open = null
      await closing
      await index.close()
    },
  }
}
