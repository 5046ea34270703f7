import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { config } from '../config/config.ts'

const exec = promisify(execFile)

export interface Encoder {
  ffmpeg: string
  ffprobe: string
  /** First line of what it says of itself. */
  version: string
  /** Programs that confine the one named behind them; what is missing on this system is left out. */
  confines: { nice: boolean; memory: boolean; leash: boolean; network: readonly string[] | null }
}

// A missing ffmpeg may be installed at any time; one that is there is asked again only when it failed to start.
const ASK_AGAIN_MS = 30_000
let known: { at: number; encoder: Promise<Encoder | null> } | undefined

/** ffmpeg with its ffprobe, H.264 and AAC, from FFMPEG_PATH or PATH; null when there is none that does. */
export async function findEncoder(): Promise<Encoder | null> {
  if (!known || ((await known.encoder) === null && Date.now() - known.at > ASK_AGAIN_MS)) {
    known = { at: Date.now(), encoder: look(config.ffmpegPath).catch(() => null) }
  }
  return known.encoder
}

/** Looks anew at the next call: the program was not there when it was to run. */
export function forgetEncoder(): void {
  known = undefined
}

/** Throws with the reason when this ffmpeg cannot do the work. */
export async function look(given: string | undefined): Promise<Encoder> {
  const ffmpeg = given ?? (await whereIs('ffmpeg'))
  const ffprobe = path.isAbsolute(ffmpeg)
    ? path.join(path.dirname(ffmpeg), `ffprobe${path.extname(ffmpeg) === '.exe' ? '.exe' : ''}`)
    : 'ffprobe'
  const { stdout: version } = await exec(ffmpeg, ['-version'], QUICK)
  await exec(ffprobe, ['-version'], QUICK)
  const { stdout: encoders } = await exec(ffmpeg, ['-hide_banner', '-encoders'], QUICK)
  for (const name of ['libx264', 'aac', 'mjpeg']) {
    if (!new RegExp(`^ \\S+ ${name} `, 'm').test(encoders)) throw new Error(`ffmpeg has no ${name}`)
  }
  const [nice, memory, leash, network] = await Promise.all([
    works('nice', '-n', '10', 'true'),
    works('prlimit', '--core=0', 'true'),
    works('setpriv', '--pdeathsig', 'KILL', 'true'),
    nowhere(),
  ])
  return { ffmpeg, ffprobe, version: version.split('\n')[0] ?? '', confines: { nice, memory, leash, network } }
}

const QUICK = { timeout: 10_000, maxBuffer: 4 * 1024 ** 2 }

// The absolute path: the program runs later with an environment of its own.
async function whereIs(program: string): Promise<string> {
  if (process.platform === 'win32') return program
  const { stdout } = await exec('/bin/sh', ['-c', `command -v ${program}`], QUICK)
  return stdout.trim() || program
}

async function nowhere(): Promise<readonly string[] | null> {
  if (await works('unshare', '-n', 'true')) return ['unshare', '-n']
  return (await works('unshare', '-rn', 'true')) ? ['unshare', '-rn'] : null
}

async function works(program: string, ...args: string[]): Promise<boolean> {
  return exec(program, args, QUICK).then(
    () => true,
    () => false,
  )
}
