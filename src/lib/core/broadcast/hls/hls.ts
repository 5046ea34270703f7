import { mkdir, rm } from 'node:fs/promises'
import { type Encoder, findEncoder } from '../../media/encoder.ts'
import type { Tracks } from '../recording/matroska.ts'
import { isSameShape, type Shape } from '../tap/frame.ts'
import { type Frame, tap } from '../tap/tap.ts'
import type { Tapped } from '../tap/tapped.ts'
import { type HlsRun, startRun } from './run.ts'
import { newShelf } from './segment-store.ts'

const LOOK_EVERY = 200
/** A piece begins with a key frame, so one is asked for each second. */
const KEY_EVERY = 1000
/** Ms without a frame after which a track is taken as gone; ms that a beginning waits for both tracks. */
const GONE = 2000
const BOTH = 800
/** Ms after which another run is begun when ffmpeg died. */
const AGAIN = 1000

export interface HlsMaker {
  readonly directory: string
  /** Another publisher of the stream, or none for the moment. */
  attach(tapped: Tapped | null): void
  stop(): Promise<void>
}

/**
 * Keeps `live.m3u8` (picture and sound) and `audio.m3u8` (sound alone, about 40 kbit/s) of a stream in a directory, with
 * pieces of about a second. H.264 is copied, VP8 encoded. Each run of ffmpeg ends when a track appears, goes or changes,
 * or when it dies; the playlists lead on to the next. `failed` hears why a run died, or nothing could be written. The
 * directory is touched only after `free`, which does not fail.
 */
export function makeHls(
  directory: string,
  tapped: Tapped | null,
  failed: (words: string) => void,
  free: Promise<unknown> = Promise.resolve(),
): HlsMaker {
  const shelf = newShelf(directory)
  const seen = { video: 0, audio: 0 }
  let shape: Shape | null = null
  let release = () => {}
  let source: Tapped | null = null
  let since = 0
  let encoder: Encoder | null = null
  let run: HlsRun | null = null
  // Never a name twice: what is cached under it lasts.
  const series = Date.now().toString(36)
  let count = 0
  let resting = 0
  let said = ''
  const prepared = prepare().catch(faulty)
  const looking = setInterval(() => void shelf.look().catch(faulty), LOOK_EVERY)
  const asking = setInterval(() => source?.requestKeyframe(), KEY_EVERY)
  attach(tapped)

  // A full disk fails at each look: it is told once, and the pieces go on when there is room again.
  function faulty(error: unknown): void {
    const words = error instanceof Error ? error.message : String(error)
    if (words !== said) failed(words)
    said = words
  }

  async function prepare(): Promise<void> {
    await free
    await rm(directory, { recursive: true, force: true })
    await mkdir(directory, { recursive: true, mode: 0o700 })
    encoder = await findEncoder()
    if (!encoder) failed('no ffmpeg')
    source?.requestKeyframe()
  }

  function attach(next: Tapped | null): void {
    release()
    finish()
    source = next
    since = Date.now()
    release = next ? tap(next, take) : () => {}
    next?.requestKeyframe()
  }

  function take(frame: Frame): void {
    seen[frame.kind] = frame.at
    if (frame.shape) shape = frame.shape
    if (encoder && begins(frame)) begin(encoder, frame.at)
    run?.write(frame)
  }

  /** Whether another run is due, and this frame is one to begin with. */
  function begins({ kind, at, key }: Frame): boolean {
    const now = tracksAt(at)
    if (Date.now() < resting || !(now.video ? kind === 'video' && key : kind === 'audio')) return false
    if (run) return !isSameShape(run.tracks.video, now.video) || run.tracks.audio !== now.audio
    const awaited = (source?.codec && !now.video) || (source?.kinds.includes('audio') && !now.audio)
    return !awaited || Date.now() - since > BOTH
  }

  function tracksAt(at: number): Tracks {
    return { video: at - seen.video < GONE ? shape : null, audio: at - seen.audio < GONE }
  }

  function begin(by: Encoder, at: number): void {
    finish()
    count += 1
    const begun = startRun(by, directory, `${series}-${count}`, tracksAt(at), at)
    run = begun
    shelf.add(begun)
    void begun.ended.then((words) => {
      if (run !== begun) return
      run = null
      resting = Date.now() + AGAIN
      failed(words)
    })
  }

  function finish(): void {
    run?.end()
    run = null
  }

  return {
    directory,
    attach,
    async stop() {
      clearInterval(looking)
      clearInterval(asking)
      attach(null)
      await prepared
      await shelf.empty().catch(faulty)
    },
  }
}
