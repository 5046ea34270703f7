import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Encoder } from '../../media/encoder.ts'
import { BASE_ARGS } from '../../media/ffmpeg-args.ts'
import { startStreamingFfmpeg } from '../../media/media-task.ts'
import type { Frame } from '../frames/frame-reader.ts'
import { AUDIO_TRACK, createClusterWriter, createHeader, type Tracks, VIDEO_TRACK } from '../recording/matroska.ts'
import { type PlaylistSegment, parseSegments } from './playlist.ts'

/** Input buffer limit for a slow ffmpeg. */
const MAX_BUFFERED_BYTES = 8 * 1024 ** 2
/** Time for ffmpeg to exit after the end of its input. */
const END_TIMEOUT_MS = 2000
const MAX_STDERR_CHARS = 2000

export interface HlsTranscoder {
  readonly name: string
  readonly tracks: Tracks
  /** Wall-clock time of the first frame. */
  readonly startedAt: number
  /** Writes a frame; frames before `startedAt` are dropped. */
  writeFrame(frame: Frame): void
  /** Segments of the playlist with video, or of the one with audio only. */
  readSegments(which: 'live' | 'audio'): Promise<PlaylistSegment[]>
  /** Ends the input; ffmpeg writes its last segment and exits. */
  close(): void
  hasEnded(): boolean
  /** Resolves with the reason when ffmpeg exits. */
  readonly ended: Promise<string>
}

/** Runs ffmpeg on live frames of fixed tracks. Names of its files begin with `name`. */
export function startTranscoder(
  encoder: Encoder,
  folder: string,
  name: string,
  tracks: Tracks,
  startedAt: number,
): HlsTranscoder {
  const child = startStreamingFfmpeg(encoder, ffmpegArgs(name, tracks), folder)
  const writeBlock = createClusterWriter()
  let stderrText = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrText = (stderrText + text).slice(-MAX_STDERR_CHARS)
  })
  // ffmpeg may exit before the input ends.
  child.stdin.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('close', (code, signal) => resolve(stderrText.trim() || String(signal ?? code)))
  })
  child.stdin.write(createHeader(tracks))

  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  return {
    name,
    tracks,
    startedAt,
    ended,
    writeFrame({ kind, capturedAt, isKey, data }) {
      if (capturedAt < startedAt || (kind === 'video' ? !tracks.video : !tracks.audio)) return
      if (child.stdin.writableLength > MAX_BUFFERED_BYTES) return void child.kill('SIGKILL')
      for (const part of writeBlock(kind === 'video' ? VIDEO_TRACK : AUDIO_TRACK, capturedAt - startedAt, isKey, data))
        child.stdin.write(part)
    },
    async readSegments(which) {
      return parseSegments(await readFile(path.join(folder, `${name}-${which}.m3u8`), 'utf8').catch(() => ''))
    },
    close() {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), END_TIMEOUT_MS)
      void ended.then(() => clearTimeout(timer))
    },
    hasEnded: () => isOver,
  }
}

function ffmpegArgs(name: string, { video, audio }: Tracks): string[] {
  // Live input: probing must not delay the output.
  const input = ['-protocol_whitelist', 'pipe', '-format_whitelist', 'matroska,webm', '-fflags', '+nobuffer']
  const probing = ['-analyzeduration', '300000', '-probesize', '2000000', '-fpsprobesize', '0']
  const sound = ['-map', '0:a', '-c:a', 'aac', '-ar', '48000', '-af', 'aresample=async=1:min_hard_comp=0.05']
  const live = [
    ...(video ? ['-map', '0:v', ...videoArgs(video.codec)] : []),
    ...(audio ? [...sound, '-b:a', '96k'] : []),
  ]
  return [
    ...BASE_ARGS.filter((option) => option !== '-nostdin'),
    ...input,
    ...probing,
    '-f',
    'matroska',
    '-i',
    'pipe:0',
    ...live,
    ...playlistArgs(name, 'live'),
    ...(audio ? [...sound, '-b:a', '40k', '-ac', '1', ...playlistArgs(name, 'audio')] : []),
  ]
}

function videoArgs(codec: 'VP8' | 'H264'): string[] {
  if (codec === 'H264') return ['-c:v', 'copy']
  const filter = "fps=25,scale=w=-2:h='min(720,ih)',format=yuv420p"
  const encoderOptions = [
    '-preset',
    'veryfast',
    '-tune',
    'zerolatency',
    '-profile:v',
    'main',
    '-g',
    '25',
    '-sc_threshold',
    '0',
  ]
  return [
    '-vf',
    filter,
    '-c:v',
    'libx264',
    ...encoderOptions,
    '-b:v',
    '1200k',
    '-maxrate',
    '1500k',
    '-bufsize',
    '2000k',
  ]
}

// Slightly below one second, so that keyframes one second apart always end a segment.
function playlistArgs(name: string, which: 'live' | 'audio'): string[] {
  return [
    '-flush_packets',
    '1',
    '-max_interleave_delta',
    '500000',
    '-f',
    'hls',
    '-hls_time',
    '0.9',
    '-hls_list_size',
    '12',
    '-hls_segment_type',
    'fmp4',
    '-hls_flags',
    'temp_file+independent_segments',
    '-hls_fmp4_init_filename',
    `${name}-${which}.mp4`,
    '-hls_segment_filename',
    `${name}-${which}-%d.m4s`,
    `${name}-${which}.m3u8`,
  ]
}
