import os from 'node:os'

/*
 * Accepted inputs. An uploaded file must not make ffmpeg open another one: playlists (HLS, DASH, concat), image
 * sequences and devices have demuxers too, so only these containers and the file protocol are allowed.
 */
const CONTAINERS = [
  'mov,mp4,m4a,3gp,3g2,mj2',
  'matroska,webm',
  'avi',
  'mpegts',
  'mpeg',
  'mpegvideo',
  'flv',
  'asf',
  'ogg',
  'mxf',
  'rm',
  'mp3',
  'aac',
  'flac',
  'wav',
  'w64',
  'aiff',
  'amr',
  'caf',
  'ac3',
  'eac3',
  'h264',
  'hevc',
  'm4v',
  'dv',
  'ivf',
  'au',
]

/** Threads of a decoder and of an encoder: more threads are hardly faster and use more memory. */
export const THREAD_COUNT = String(Math.min(8, os.availableParallelism()))

/** Maximum pixels of a frame: 8K. */
export const MAX_FRAME_PIXELS = 7680 * 4320

/** Options before an input of ffprobe or ffmpeg. */
export const INPUT_RESTRICTIONS = ['-protocol_whitelist', 'file', '-format_whitelist', CONTAINERS.join(',')] as const

/** An input of ffmpeg with its options, read from the local disk only. */
export const inputArgs = (path: string, ...options: string[]): string[] => [
  ...INPUT_RESTRICTIONS,
  '-max_pixels',
  String(MAX_FRAME_PIXELS),
  '-threads',
  THREAD_COUNT,
  ...options,
  '-i',
  `file:${path}`,
]

/** Options before all others of each ffmpeg run that writes files. */
export const BASE_ARGS = ['-y', '-hide_banner', '-nostdin', '-nostats', '-v', 'error'] as const
export const PROGRESS_ARGS = ['-progress', 'pipe:1', '-stats_period', '0.5'] as const
