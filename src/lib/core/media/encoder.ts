import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { config } from '../config/config.ts'

const exec = promisify(execFile)

export interface Encoder {
  ffmpeg: string
  ffprobe: string
  /** First line of its version output. */
  version: string
  /** Sandbox programs that are available on this system. */
  sandbox: { nice: boolean; memory: boolean; endsWithParent: boolean; network: readonly string[] | null }
}

// A missing ffmpeg may be installed at any time; an available one is checked again only after it failed to start.
const RETRY_AFTER_MS = 30_000
let cached: { at: number; encoder: Promise<Encoder | null> } | undefined

/** ffmpeg with its ffprobe, H.264 and AAC, from FFMPEG_PATH or PATH; null when none supports them. */
export async function findEncoder(): Promise<Encoder | null> {
  if (!cached || ((await cached.encoder) === null && Date.now() - cached.at > RETRY_AFTER_MS)) {
    cached = { at: Date.now(), encoder: inspectEncoder(config.ffmpegPath).catch(() => null) }
  }
  return cached.encoder
}

/** Clears the cache: the program did not start. */
export function forgetEncoder(): void {
  cached = undefined
}

/** Throws with the reason when this ffmpeg cannot do the work. */
export async function inspectEncoder(given: string | undefined): Promise<Encoder> {
  const ffmpeg = given ?? (await resolveProgram('ffmpeg'))
  const ffprobe = path.isAbsolute(ffmpeg)
    ? path.join(path.dirname(ffmpeg), `ffprobe${path.extname(ffmpeg) === '.exe' ? '.exe' : ''}`)
    : 'ffprobe'
  const { stdout: version } = await exec(ffmpeg, ['-version'], PROBE_OPTIONS)
  await exec(ffprobe, ['-version'], PROBE_OPTIONS)
  const { stdout: encoders } = await exec(ffmpeg, ['-hide_banner', '-encoders'], PROBE_OPTIONS)
  for (const name of ['libx264', 'aac', 'mjpeg']) {
    if (!new RegExp(`^ \\S+ ${name} `, 'm').test(encoders)) throw new Error(`ffmpeg has no ${name}`)
  }
  const [nice, memory, endsWithParent, network] = await Promise.all([
    canRun('nice', '-n', '10', 'true'),
    canRun('prlimit', '--core=0', 'true'),
    canRun('setpriv', '--pdeathsig', 'KILL', 'true'),
    findNetworkIsolation(),
  ])
  return { ffmpeg, ffprobe, version: version.split('\n')[0] ?? '', sandbox: { nice, memory, endsWithParent, network } }
}

const PROBE_OPTIONS = { timeout: 10_000, maxBuffer: 4 * 1024 ** 2 }

// The absolute path: the program runs later with an environment of its own.
async function resolveProgram(program: string): Promise<string> {
  if (process.platform === 'win32') return program
  const { stdout } = await exec('/bin/sh', ['-c', `command -v ${program}`], PROBE_OPTIONS)
  return stdout.trim() || program
}

async function findNetworkIsolation(): Promise<readonly string[] | null> {
  if (await canRun('unshare', '-n', 'true')) return ['unshare', '-n']
  return (await canRun('unshare', '-rn', 'true')) ? ['unshare', '-rn'] : null
}

async function canRun(program: string, ...args: string[]): Promise<boolean> {
  return exec(program, args, PROBE_OPTIONS).then(
    () => true,
    () => false,
  )
}
