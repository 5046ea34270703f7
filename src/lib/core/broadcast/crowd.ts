import { fork } from 'node:child_process'
import path from 'node:path'
import { environmentOf } from '../config/config.ts'
import { play } from './broadcast.ts'

/** What viewers without a screen have seen of a stream. */
export interface Seen {
  viewers: number
  /** Of how many packets came at all. */
  watching: number
  /** Of the one that got the fewest, and of the one that got the most. */
  fewestFrames: number
  mostFrames: number
}

/** From a viewer: its offer, or in the end what all of them counted. */
export type FromCrowd = { op: 'offer'; viewer: number; sdp: string } | { op: 'counted'; frames: number[] }
export type ToCrowd = { op: 'answer'; viewer: number; sdp: string } | { op: 'refused'; viewer: number }

const PROGRAM = path.resolve('src/lib/core/broadcast/crowd-viewers.ts')
const TOLD = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_ENV']
const PATIENCE_MS = 15_000

/**
 * Lets so many viewers without a screen watch a stream of a room for some seconds, in a process of their own, and counts
 * what reached them. Viewers that are refused count as such that see nothing.
 */
export function watchAsCrowd(
  { room, stream, viewers, seconds }: { room: string; stream: string; viewers: number; seconds: number },
  signal?: AbortSignal,
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [String(viewers), String(seconds)], {
      env: environmentOf(...TOLD),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const end = () => child.kill('SIGKILL')
    const late = setTimeout(end, seconds * 1000 + PATIENCE_MS)
    signal?.addEventListener('abort', end, { once: true })
    let frames: number[] = []
    child.on('message', (told: FromCrowd) => {
      if (told.op === 'counted') {
        frames = told.frames
        end()
        return
      }
      const { viewer, sdp } = told
      play({ room, stream, person: `crowd-${viewer}`, sdp }).then(
        (opened) => tell({ op: 'answer', viewer, sdp: opened.sdp }),
        () => tell({ op: 'refused', viewer }),
      )
    })
    const tell = (words: ToCrowd) => child.connected && child.send(words)
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(late)
      const watching = frames.filter((count) => count > 0).length
      const all = frames.length > 0 ? frames : [0]
      resolve({ viewers, watching, fewestFrames: Math.min(...all), mostFrames: Math.max(...all) })
    })
  })
}
