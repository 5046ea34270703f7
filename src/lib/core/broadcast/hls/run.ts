import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Encoder } from '../../media/encoder.ts'
import { QUIET } from '../../media/guard.ts'
import { feed } from '../../media/run.ts'
import { AUDIO_TRACK, createClusters, matroskaHead, type Tracks, VIDEO_TRACK } from '../recording/matroska.ts'
import type { Frame } from '../tap/tap.ts'
import { type Piece, readPieces } from './playlist.ts'

/** Bytes that may wait for a slow ffmpeg. */
const MOST_WAITING = 8 * 1024 ** 2
/** Ms that ffmpeg may take to end when nothing more comes. */
const END_PATIENCE = 2000
const MOST_SAID = 2000

export interface HlsRun {
  readonly name: string
  readonly tracks: Tracks
  /** Wall clock of its first frame. */
  readonly from: number
  /** Feeds a frame; what lies before the run's beginning is left out. */
  write(frame: Frame): void
  /** New pieces of the picture's and of the sound's playlist. */
  read(which: 'live' | 'audio'): Promise<Piece[]>
  /** Lets it write its last piece and end. */
  end(): void
  isOver(): boolean
  /** Why it ended, when it did. */
  readonly ended: Promise<string>
}

/** Runs ffmpeg on frames as they come, until a track appears, goes, or changes its shape. Files begin with `name`. */
export function startRun(encoder: Encoder, folder: string, name: string, tracks: Tracks, from: number): HlsRun {
  const child = feed(encoder, argsOf(name, tracks), folder)
  const block = createClusters()
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MOST_SAID)
  })
  // It may end before all is fed.
  child.stdin.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    child.on('error', ({ message }) => resolve(message))
    child.on('close', (code, signal) => resolve(said.trim() || String(signal ?? code)))
  })
  child.stdin.write(matroskaHead(tracks))

  let over = false
  void ended.then(() => {
    over = true
  })
  return {
    name,
    tracks,
    from,
    ended,
    write({ kind, at, key, data }) {
      if (at < from || (kind === 'video' ? !tracks.video : !tracks.audio)) return
      if (child.stdin.writableLength > MOST_WAITING) return void child.kill('SIGKILL')
      for (const part of block(kind === 'video' ? VIDEO_TRACK : AUDIO_TRACK, at - from, key, data))
        child.stdin.write(part)
    },
    async read(which) {
      return readPieces(await readFile(path.join(folder, `${name}-${which}.m3u8`), 'utf8').catch(() => ''))
    },
    end() {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), END_PATIENCE)
      void ended.then(() => clearTimeout(timer))
    },
    isOver: () => over,
  }
}

function argsOf(name: string, { video, audio }: Tracks): string[] {
  // The picture is fed as it is made, so there is nothing to look far ahead for.
  const input = ['-protocol_whitelist', 'pipe', '-format_whitelist', 'matroska,webm', '-fflags', '+nobuffer']
  const quick = ['-analyzeduration', '300000', '-probesize', '2000000', '-fpsprobesize', '0']
  const sound = ['-map', '0:a', '-c:a', 'aac', '-ar', '48000', '-af', 'aresample=async=1:min_hard_comp=0.05']
  const live = [
    ...(video ? ['-map', '0:v', ...pictureArgs(video.codec)] : []),
    ...(audio ? [...sound, '-b:a', '96k'] : []),
  ]
  return [
    ...QUIET.filter((one) => one !== '-nostdin'),
    ...input,
    ...quick,
    '-f',
    'matroska',
    '-i',
    'pipe:0',
    ...live,
    ...listArgs(name, 'live'),
    ...(audio ? [...sound, '-b:a', '40k', '-ac', '1', ...listArgs(name, 'audio')] : []),
  ]
}

function pictureArgs(codec: 'VP8' | 'H264'): string[] {
  if (codec === 'H264') return ['-c:v', 'copy']
  const filter = "fps=25,scale=w=-2:h='min(720,ih)',format=yuv420p"
  const habits = ['-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'main', '-g', '25', '-sc_threshold', '0']
  return ['-vf', filter, '-c:v', 'libx264', ...habits, '-b:v', '1200k', '-maxrate', '1500k', '-bufsize', '2000k']
}

// A little under a second: key frames that come a second apart must not miss the mark by a hair.
function listArgs(name: string, which: 'live' | 'audio'): string[] {
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
