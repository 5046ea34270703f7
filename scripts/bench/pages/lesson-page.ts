import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { bringEncoder } from '../../test/encoder.ts'
import { median } from '../duel.ts'
import { temporary } from '../processes.ts'
import { DOMAIN, overSocket, ROOT, startProduct } from '../product.ts'
import type { Row, Section } from '../report.ts'
import type { Stage } from '../stage.ts'
import { look, type Run } from './lighthouse.ts'
import { weighScripts } from './script.ts'

const exec = promisify(execFile)
const ROUNDS = 3
const MOST_KILOBYTES = 60

/** A lesson on a phone: with text only, in a course of 300, and with a video. */
export async function lessonPages({ big, socketDir }: Stage): Promise<Section> {
  const data = temporary('lessons')
  const product = await startProduct(overSocket(socketDir), { more: { DATA_DIR: data, JOBS_IN_PROCESS: 'false' } })
  const video = await makeVideoLesson(data, { socketDir, big })
  const text = { path: `/course/lesson/${big.lessonId}`, token: big.studentToken }
  const pages = [
    { ...text, label: 'text', goal: 95 },
    {
      label: 'text in a course of 300',
      path: `/course/lesson/${big.long.lessonId}`,
      token: big.long.studentToken,
      goal: 95,
    },
    { ...text, label: 'video', path: `/course/lesson/${video}`, goal: 90 },
  ]
  const rows: Row[] = []
  for (const { label, path, token, goal } of pages) {
    const runs: Run[] = []
    const address = `http://go.${DOMAIN}:${product.port}${path}`
    for (let n = 0; n < ROUNDS; n++) runs.push(await look(address, { Cookie: `token=${token}; locale=uk` }))
    const scores = runs.map((run) => run.scores.performance)
    const score = median(scores)
    rows.push({
      label: `${label}, Lighthouse performance`,
      ours: scores.join(' '),
      baseline: '',
      result: String(score),
      goal: `≥ ${goal}`,
      reached: score >= goal,
    })
  }
  const visits = pages.map(({ label, path, token }) => ({
    label: `${label}, JavaScript`,
    subdomain: 'go',
    path,
    token,
  }))
  rows.push(
    ...(await weighScripts(
      product.port,
      visits.map((page) => ({ ...page, most: MOST_KILOBYTES })),
    )),
  )
  await product.stop()
  return {
    title: 'A lesson on a telephone',
    note: 'Lighthouse: mobile with simulated throttling, signed in, three runs, the median counts. JavaScript before playback, measured as above.',
    rows,
  }
}

async function makeVideoLesson(data: string, { socketDir, big }: Pick<Stage, 'socketDir' | 'big'>): Promise<string> {
  const clip = path.join(temporary('clip'), 'clip.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=330']
  const codecs = ['-t', '12', '-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  await exec(await bringEncoder(), ['-v', 'error', ...source, ...codecs, clip])
  const env = { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'silent', BASE_DOMAIN: DOMAIN }
  const { stdout } = await exec(
    process.execPath,
    [path.join(import.meta.dirname, 'lesson-video.ts'), clip, big.subdomain, big.ownerToken, big.studentToken],
    { cwd: ROOT, env: { ...env, DATA_DIR: data, DATABASE_URL: overSocket(socketDir) } },
  )
  const lesson = /^lesson (\S+)$/m.exec(stdout)?.[1]
  if (!lesson) throw new Error(`no lesson was made: ${stdout}`)
  return lesson
}
