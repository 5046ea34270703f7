import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Encoder } from './encoder.ts'
import { BASE_ARGS, inputArgs } from './ffmpeg-args.ts'
import { runMediaTask } from './media-task.ts'

/** Segment length in seconds, if keyframes permit. */
const PIECE_SECONDS = 4
const TIME_LIMIT_SECONDS = 120

/**
 * Cuts an MP4 into pieces of HLS without encoding, in `folder`, with names that begin with `name`. Returns the lines of
 * the media playlist from EXT-X-MAP to the last segment (RFC 8216). Throws MediaError.
 */
export async function cutHlsPieces(
  encoder: Encoder,
  inputPath: string,
  { folder, name, signal }: { folder: string; name: string; signal: AbortSignal },
): Promise<string[]> {
  const playlist = `${name}.m3u8`
  const output = ['-f', 'hls', '-hls_time', String(PIECE_SECONDS), '-hls_playlist_type', 'vod']
  const segments = ['-hls_segment_type', 'fmp4', '-hls_flags', 'independent_segments']
  const names = ['-hls_fmp4_init_filename', `${name}.mp4`, '-hls_segment_filename', `${name}-%03d.m4s`]
  const args = [...BASE_ARGS, ...inputArgs(inputPath), '-c', 'copy', ...output, ...segments, ...names, playlist]
  await runMediaTask(encoder, { program: 'ffmpeg', args, folder, signal, timeoutSeconds: TIME_LIMIT_SECONDS })
  const lines = (await readFile(path.join(folder, playlist), 'utf8')).split('\n').filter(Boolean)
  const first = lines.findIndex((line) => line.startsWith('#EXT-X-MAP'))
  return lines.slice(first).filter((line) => line !== '#EXT-X-ENDLIST')
}

/** One complete playlist of consecutive parts, each with the lines of cutHlsPieces. */
export function joinHlsParts(parts: readonly (readonly string[])[]): string {
  const durations = parts.flat().flatMap((line) => Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? 0))
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(Math.max(1, ...durations))}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...parts.flatMap((lines, index) => (index > 0 ? ['#EXT-X-DISCONTINUITY', ...lines] : lines)),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
}
