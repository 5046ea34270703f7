import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { bringEncoder } from '../test/encoder.ts'
import { temporary } from './processes.ts'
import { overSocket, ROOT } from './product.ts'
import { limitRow, type Row, type Section } from './report.ts'
import type { Stage } from './stage.ts'

const exec = promisify(execFile)
const ROUNDS = 3

/**
 * A clip of 30 s of 720p through the whole encoding pipeline, compared with one handwritten ffmpeg command for the same
 * resolutions.
 */
export async function videoPipeline({ socketDir, small }: Stage): Promise<Section> {
  const ffmpeg = await bringEncoder()
  const folder = temporary('video')
  const clip = path.join(folder, 'clip.mp4')
  await exec(ffmpeg, ['-v', 'error', ...SOURCE, clip])
  const rounds: Round[] = []
  for (let n = 0; n < ROUNDS; n++) {
    rounds.push({
      byHand: await byHand(ffmpeg, clip, path.join(folder, 'hand')),
      ours: await ours(clip, socketDir, small.tenantId),
    })
  }
  return { title: 'Video pipeline', note: NOTE, rows: pipelineRows(rounds) }
}

const NOTE =
  '30 s of 720p, moving and noisy, with audio. Ours: probe, four posters, loudness measured and levelled, storyboard, 360 and 720 lines and the audio as fMP4 HLS in two runs, everything stored in the object store. Baseline: one ffmpeg run that decodes once and creates the same renditions with the same options. Processor time of ffmpeg, and including the process of the product; rounds in turn, median.'

// Neither a still image nor pure noise: about 5 Mbit/s, as from a camera's encoder.
const SOURCE = [
  '-f',
  'lavfi',
  '-i',
  'testsrc2=size=1280x720:rate=30,noise=alls=6:allf=t',
  '-f',
  'lavfi',
  '-i',
  'anoisesrc=color=pink:amplitude=0.1',
  '-t',
  '30',
  '-c:v',
  'libx264',
  '-preset',
  'veryfast',
  '-b:v',
  '5M',
  '-pix_fmt',
  'yuv420p',
  '-c:a',
  'aac',
  '-b:a',
  '160k',
]

interface Round {
  byHand: number
  ours: Ours
}

const Ours = z.object({
  children: z.number(),
  own: z.number(),
  states: z.array(z.object({ event: z.string(), detail: z.string().nullable(), seconds: z.number() })),
})
type Ours = z.output<typeof Ours>

async function ours(clip: string, socketDir: string, tenantId: string): Promise<Ours> {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    DATA_DIR: temporary('data'),
    DATABASE_URL: overSocket(socketDir),
  }
  const { stdout } = await exec(process.execPath, [path.join(ROOT, 'scripts/bench/video.ts'), clip, tenantId], { env })
  return Ours.parse(JSON.parse(stdout))
}

async function byHand(ffmpeg: string, clip: string, folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true })
  for (const folderName of ['360', '720', 'sound']) mkdirSync(path.join(folder, folderName), { recursive: true })
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-i',
    clip,
    '-filter_complex',
    '[0:v]split=2[a][b];[a]scale=640:360[v360];[b]null[v720]',
    ...LADDER,
  ]
  // Measured by the shell, because the times of an ended child process are not available otherwise.
  const { stdout } = await exec(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; { time "$0" "$@" 2>/dev/null; } 2>&1', ffmpeg, ...args],
    { cwd: folder },
  )
  const [user = 0, system = 0] = stdout.trim().split(' ').map(Number)
  return user + system
}

const LADDER = [
  ...picture('360', '900k', '1800k'),
  ...picture('720', '2800k', '5600k'),
  '-map',
  '0:a',
  '-c:a',
  'aac',
  '-b:a',
  '128k',
  '-ar',
  '48000',
  '-ac',
  '2',
  ...hls('sound'),
]

function picture(size: string, rate: string, buffer: string): string[] {
  return [
    '-map',
    `[v${size}]`,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-profile:v',
    'high',
    '-pix_fmt',
    'yuv420p',
    '-crf',
    '23',
    '-maxrate',
    rate,
    '-bufsize',
    buffer,
    '-g',
    '120',
    '-keyint_min',
    '120',
    '-sc_threshold',
    '0',
    ...hls(size),
  ]
}

function hls(folder: string): string[] {
  return [
    '-f',
    'hls',
    '-hls_time',
    '4',
    '-hls_playlist_type',
    'vod',
    '-hls_segment_type',
    'fmp4',
    '-hls_flags',
    'independent_segments',
    '-hls_segment_filename',
    `${folder}/%03d.m4s`,
    `${folder}/index.m3u8`,
  ]
}

function pipelineRows(rounds: Round[]): Row[] {
  const median = (take: (round: Round) => number) =>
    rounds.map(take).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0
  const when = ({ ours }: Round, event: string, detail?: string) =>
    ours.states.find((state) => state.event === event && (!detail || state.detail === detail))?.seconds ?? Number.NaN
  const first = (round: Round) => when(round, 'resolutionFinished') / when(round, 'finished')
  const poster = (round: Round) => when(round, 'processing', 'poster') / when(round, 'resolutionFinished')
  const seconds = (take: (round: Round) => number) => `${median(take).toFixed(2)} s`
  return [
    {
      ...limitRow(
        'processor time of ffmpeg',
        median(({ ours, byHand }) => ours.children / byHand),
        '',
        1.25,
        2,
      ),
      ours: seconds(({ ours }) => ours.children),
      baseline: seconds(({ byHand }) => byHand),
    },
    {
      ...limitRow(
        'the same with the process of the product',
        median(({ ours, byHand }) => (ours.children + ours.own) / byHand),
        '',
        null,
        2,
      ),
      ours: seconds(({ ours }) => ours.children + ours.own),
      baseline: seconds(({ byHand }) => byHand),
    },
    {
      ...limitRow('first resolution to watch, of the whole time', median(first), '', 0.5, 2),
      ours: seconds((round) => when(round, 'resolutionFinished')),
      baseline: seconds((round) => when(round, 'finished')),
    },
    {
      ...limitRow('posters, of the time to the first resolution', median(poster), '', 1, 2),
      ours: seconds((round) => when(round, 'processing', 'poster')),
      baseline: seconds((round) => when(round, 'resolutionFinished')),
    },
  ]
}
