import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Encoder, findEncoder } from '#lib/core/media/encoder.ts'

const exec = promisify(execFile)

/** Length of the part that is encoded once and repeated, in seconds. */
const LOOP_SECONDS = 30

/** Four seconds of a test pattern with a tone as MP4, or null without ffmpeg. */
export function createTestPattern(): Promise<Buffer | null> {
  return createVideo(async ({ ffmpeg }, target) => {
    const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=12:duration=4']
    const sound = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=4']
    const form = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest']
    await exec(ffmpeg, ['-v', 'error', ...picture, ...sound, ...form, target])
  })
}

/**
 * A silent video of a slowly moving background as MP4, as long as a webinar, or null without ffmpeg. Half a minute is
 * encoded and repeated, so that it takes less than a second.
 */
export function createLongVideo(minutes: number): Promise<Buffer | null> {
  return createVideo(async ({ ffmpeg }, target) => {
    const loop = `${target}.loop.mp4`
    const background = `gradients=size=480x270:rate=1:duration=${LOOP_SECONDS}:c0=0x1f4fa3:c1=0x8fb8de:speed=0.02:seed=1`
    const picture = ['-f', 'lavfi', '-i', background]
    const sound = ['-f', 'lavfi', '-i', 'anullsrc=sample_rate=16000:channel_layout=mono']
    const form = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '30', '-g', '10', '-pix_fmt', 'yuv420p']
    const end = ['-c:a', 'aac', '-b:a', '8k', '-t', String(LOOP_SECONDS)]
    await exec(ffmpeg, ['-v', 'error', ...picture, ...sound, ...form, ...end, loop])
    const repeated = ['-stream_loop', '-1', '-i', loop, '-t', String(minutes * 60), '-c', 'copy']
    await exec(ffmpeg, ['-v', 'error', ...repeated, '-movflags', '+faststart', target])
  })
}

async function createVideo(encode: (encoder: Encoder, target: string) => Promise<void>): Promise<Buffer | null> {
  const encoder = await findEncoder()
  if (!encoder) return null
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'kafedra-'))
  try {
    const target = path.join(folder, 'clip.mp4')
    await encode(encoder, target)
    return await fs.readFile(target)
  } finally {
    await fs.rm(folder, { recursive: true })
  }
}
