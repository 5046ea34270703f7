import { rm } from 'node:fs/promises'
import path from 'node:path'
import { hasLocalSpace } from '../../files/reserve.ts'
import { findEncoder } from '../../media/encoder.ts'
import { isCompanion } from '../companion.ts'
import { type HlsMaker, makeHls } from '../hls/hls.ts'
import { type Recorder, recordStream } from '../recording/record.ts'
import { listWanted } from '../recording/record-wanted.ts'
import type { OnPublisher, TapNews, TapOrder, Tapped, Taps } from '../tap/tapped.ts'

/** Bytes beyond the reserve that recordings leave free: what comes until the disk is looked at again. */
const SPARE = 64 * 1024 ** 2

/** How taps learn whether the disk has space for recordings. */
export interface TapDisk {
  hasSpace(): Promise<boolean>
  everyMs: number
}

const DISK: TapDisk = { hasSpace: () => hasLocalSpace(SPARE), everyMs: 5000 }

/** Ms for which HLS goes on when nobody asks for it. */
const UNASKED = 60_000

interface Wanted {
  room: string
  /** Null: every stream of the room. */
  stream: string | null
  directory: string
}

interface Place {
  room: string
  stream: string
  tapped: Tapped | null
  recorder: Recorder | null
  hls: HlsMaker | null
  idle: NodeJS.Timeout | null
}

/**
 * The taps of the child process: recording and HLS of its publishers. What is to be recorded lies on the disk too, and is
 * taken up again by whichever process starts next. Recordings stop before they touch the reserve of the disk, and go on
 * when there is space again; both is told of every room.
 */
export function startTaps(onPublisher: OnPublisher, tell: (news: TapNews) => void, disk = DISK): Taps {
  const places = new Map<string, Place>()
  const wanted: Wanted[] = []
  const ending = new Set<Promise<unknown>>()
  /** Directories that an HLS maker is leaving: the next one waits for it. */
  const emptied = new Map<string, Promise<void>>()
  let isFull = false
  const looking = setInterval(() => void lookAtDisk(), disk.everyMs)
  looking.unref()
  const release = onPublisher(began)
  const recalled = listWanted().then((found) => {
    for (const one of found) want(one)
  })

  function began(room: string, stream: string, tapped: Tapped): void {
    const place = placeOf(room, stream)
    stopRecorder(place)
    place.tapped = tapped
    place.hls?.attach(tapped)
    tapped.onEnd(() => {
      if (place.tapped !== tapped) return
      place.tapped = null
      place.hls?.attach(null)
      stopRecorder(place)
      forget(place)
    })
    startRecorder(place)
  }

  async function lookAtDisk(): Promise<void> {
    // A disk that cannot be asked stops nothing.
    const full = wanted.length > 0 && !(await disk.hasSpace().catch(() => true))
    if (full === isFull) return
    isFull = full
    for (const place of places.values()) {
      if (full) stopRecorder(place)
      else startRecorder(place)
    }
    for (const one of wanted) tellSpace(one)
  }

  function tellSpace({ room, stream }: Wanted): void {
    tell({ tap: 'record', room, stream: stream ?? '', what: isFull ? 'diskFull' : 'diskFree' })
  }

  function want(one: Wanted): void {
    const isNew = !wanted.some((known) => isSame(known, one))
    if (isNew) wanted.push(one)
    if (isNew && isFull) tellSpace(one)
    for (const place of places.values()) startRecorder(place)
  }

  function unwant(room: string, stream: string | null): void {
    const rest = wanted.filter((one) => one.room !== room || (stream !== null && one.stream !== stream))
    wanted.splice(0, wanted.length, ...rest)
    for (const place of places.values()) if (!orderFor(place)) stopRecorder(place)
  }

  function orderFor({ room, stream }: Place): Wanted | undefined {
    return wanted.find((one) => one.room === room && (one.stream === null || one.stream === stream))
  }

  function startRecorder(place: Place): void {
    const order = orderFor(place)
    // The same picture again in another codec belongs into no recording.
    if (!order || isFull || !place.tapped || place.recorder || isCompanion(place.stream)) return
    const { room, stream } = place
    const failed = (error: Error) => tell({ tap: 'record', room, stream, what: 'failed', words: error.message })
    place.recorder = recordStream(place.tapped, path.join(order.directory, stream), failed, Promise.all(ending))
    tell({ tap: 'record', room, stream, what: 'began' })
  }

  function stopRecorder(place: Place): void {
    const { room, stream, recorder } = place
    const failed = (error: unknown) => tell({ tap: 'record', room, stream, what: 'failed', words: wordsOf(error) })
    if (recorder) awaited(recorder.stop(), failed)
    place.recorder = null
  }

  function awaited(work: Promise<unknown>, failed: (error: unknown) => void): Promise<void> {
    const done: Promise<void> = work.then(() => {}, failed).finally(() => ending.delete(done))
    ending.add(done)
    return done
  }

  function placeOf(room: string, stream: string): Place {
    const key = `${room}/${stream}`
    const known = places.get(key) ?? { room, stream, tapped: null, recorder: null, hls: null, idle: null }
    places.set(key, known)
    return known
  }

  function forget(place: Place): void {
    if (!place.tapped && !place.hls) places.delete(`${place.room}/${place.stream}`)
  }

  async function hlsAsked(room: string, stream: string, directory: string): Promise<Record<string, unknown>> {
    const able = (await findEncoder()) !== null
    const known = places.get(`${room}/${stream}`)
    if (!able || (!known?.tapped && !known?.hls)) return { running: false }
    const failed = (words: string) => tell({ tap: 'hls', room, stream, what: 'failed', words })
    known.hls ??= makeHls(directory, known.tapped, failed, emptied.get(directory))
    clearTimeout(known.idle ?? undefined)
    known.idle = setTimeout(() => stopHls(known), UNASKED)
    known.idle.unref()
    return { running: true }
  }

  function stopHls(place: Place): void {
    clearTimeout(place.idle ?? undefined)
    const { hls } = place
    place.hls = null
    if (hls) emptied.set(hls.directory, empty(place, hls))
    forget(place)
  }

  function empty({ room, stream }: Place, { directory, stop }: HlsMaker): Promise<void> {
    const failed = (error: unknown) => tell({ tap: 'hls', room, stream, what: 'failed', words: wordsOf(error) })
    const done: Promise<void> = awaited(
      stop().then(() => rm(directory, { recursive: true, force: true })),
      failed,
    ).finally(() => emptied.get(directory) === done && emptied.delete(directory))
    return done
  }

  return {
    async obey(order: TapOrder) {
      await recalled
      switch (order.op) {
        case 'record':
          want(order)
          await lookAtDisk()
          return {}
        case 'recordEnd':
          unwant(order.room, order.stream)
          await Promise.all(ending)
          return {}
        case 'hls':
          return hlsAsked(order.room, order.stream, order.directory)
        case 'hlsEnd': {
          const place = places.get(`${order.room}/${order.stream}`)
          if (place) stopHls(place)
          return {}
        }
      }
    },
    async close() {
      clearInterval(looking)
      release()
      for (const place of places.values()) {
        stopRecorder(place)
        stopHls(place)
      }
      await Promise.all(ending)
    },
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const isSame = (one: Wanted, other: Wanted): boolean => one.room === other.room && one.stream === other.stream
