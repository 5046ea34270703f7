import { fork } from 'node:child_process'
import path from 'node:path'
import { environmentOf } from '../config/config.ts'
import { playStream } from './broadcast.ts'

/** Frames that headless viewers received of a stream. */
export interface ViewingReport {
  viewers: number
  /** Viewers that received at least one frame. */
  receivingCount: number
  /** Frames of the viewer with the fewest, and of the one with the most. */
  minFrames: number
  maxFrames: number
}

/** The offer of a viewer, or at the end the frame counts of all viewers. */
export type ViewerMessage = { op: 'offer'; viewer: number; sdp: string } | { op: 'counted'; frames: number[] }
export type ViewerCommand = { op: 'answer'; viewer: number; sdp: string } | { op: 'refused'; viewer: number }

const PROGRAM = path.resolve('src/lib/core/broadcast/headless-viewers-process.ts')
const FORWARDED_ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_ENV']
const EXIT_TIMEOUT_MS = 15_000

/**
 * Connects headless viewers to a stream of a room for some seconds, in a child process, and counts the frames that they
 * receive. A viewer that is refused counts as one without frames.
 */
export function runHeadlessViewers(
  { room, stream, viewers, seconds }: { room: string; stream: string; viewers: number; seconds: number },
  signal?: AbortSignal,
): Promise<ViewingReport> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [String(viewers), String(seconds)], {
      env: environmentOf(...FORWARDED_ENVIRONMENT),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const kill = () => child.kill('SIGKILL')
    const timer = setTimeout(kill, seconds * 1000 + EXIT_TIMEOUT_MS)
    signal?.addEventListener('abort', kill, { once: true })
    let frames: number[] = []
    child.on('message', (message: ViewerMessage) => {
      if (message.op === 'counted') {
        frames = message.frames
        kill()
        return
      }
      const { viewer, sdp } = message
      playStream({ room, stream, participant: `viewer-${viewer}`, sdp }).then(
        (opened) => send({ op: 'answer', viewer, sdp: opened.sdp }),
        () => send({ op: 'refused', viewer }),
      )
    })
    const send = (command: ViewerCommand) => child.connected && child.send(command)
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(timer)
      const receivingCount = frames.filter((count) => count > 0).length
      const frameCounts = frames.length > 0 ? frames : [0]
      resolve({
        viewers,
        receivingCount,
        minFrames: Math.min(...frameCounts),
        maxFrames: Math.max(...frameCounts),
      })
    })
  })
}
