import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const FFMPEG = process.env.FFMPEG_PATH ?? 'ffmpeg'

export interface ClipOptions {
  seconds?: number
  /** `width`x`height`; no picture when absent. */
  size?: string
  rate?: number | string
  /** In hertz; no sound when absent. */
  tone?: number
  /** Decibels below full scale. */
  quiet?: number
  /** Further options before the output. */
  options?: string[]
}

/** Creates a short test video with ffmpeg's generated sources. */
export async function createClip(
  path: string,
  { seconds = 2, size, rate = 25, tone, quiet = 0, options = [] }: ClipOptions,
): Promise<string> {
  const inputs = [
    ...(size ? ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${rate}`] : []),
    ...(tone ? ['-f', 'lavfi', '-i', `sine=frequency=${tone}:sample_rate=48000,volume=${-quiet}dB`] : []),
  ]
  const video = size ? ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'] : []
  await exec(FFMPEG, ['-v', 'error', '-y', ...inputs, '-t', String(seconds), ...video, ...options, path])
  return path
}

/** Result of ffprobe for a file or a playlist: streams, format and, for a video, the times of its keyframes. */
export async function probeFile(path: string): Promise<{ streams: Record<string, string>[]; seconds: number }> {
  const probe = FFMPEG.replace(/ffmpeg(?=[^/]*$)/, 'ffprobe')
  const { stdout } = await exec(probe, ['-v', 'error', '-of', 'json', '-show_streams', '-show_format', path])
  const { streams, format } = JSON.parse(stdout)
  return { streams, seconds: Number(format.duration) }
}

/** Integrated loudness in LUFS. */
export function measureLoudness(path: string): number {
  const args = ['-hide_banner', '-nostats', '-i', path, '-af', 'ebur128=framelog=verbose', '-f', 'null', '-']
  const output = execFileSync('/bin/sh', ['-c', `"$0" "$@" 2>&1`, FFMPEG, ...args], { encoding: 'utf8' })
  return Number([...output.matchAll(/I:\s+(-?[\d.]+) LUFS/g)].at(-1)?.[1])
}
