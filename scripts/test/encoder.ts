import { spawnSync } from 'node:child_process'
import { inspectEncoder } from '#lib/core/media/encoder.ts'

/** A working ffmpeg: FFMPEG_PATH, the one on the PATH, or installed by apt. Throws with instructions. */
export async function bringEncoder(): Promise<string> {
  const given = process.env.FFMPEG_PATH
  for (const command of [...(given || process.getuid?.() !== 0 ? [] : WAYS), null]) {
    try {
      return (await inspectEncoder(given)).ffmpeg
    } catch (error) {
      if (!command) throw new Error(`No ffmpeg that encodes: ${messageOf(error)}. ${ADVICE}`)
      attempt(command)
    }
  }
  throw new Error(ADVICE)
}

const ADVICE = 'Install it (Debian: apt-get install ffmpeg) or name one in FFMPEG_PATH.'
const WAYS = [
  ['apt-get', 'update'],
  ['apt-get', 'install', '-y', '--no-install-recommends', 'ffmpeg'],
]

function attempt([program = '', ...args]: string[]): void {
  console.log(`No ffmpeg: ${program} ${args.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env, timeout: 300_000 })
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
