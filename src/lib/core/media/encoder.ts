import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { config } from '../config/config.ts'
import { inspectSandbox, PROBE_OPTIONS, resolveProgram, type Sandbox } from './sandbox.ts'

const exec = promisify(execFile)

export interface Encoder {
  ffmpeg: string
  ffprobe: string
  /** First line of its version output. */
  version: string
  sandbox: Sandbox
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
  return { ffmpeg, ffprobe, version: version.split('\n')[0] ?? '', sandbox: await inspectSandbox() }
}
