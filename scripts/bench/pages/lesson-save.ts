import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import pg from 'pg'
import { copyTree } from '../constant-page.ts'
import { median } from '../duel.ts'
import { overSocket, type Product, startProduct } from '../product.ts'
import { limitRow, ratioRow, type Section } from '../report.ts'
import type { School } from '../schools.ts'
import type { Stage } from '../stage.ts'

const WRITERS = 20
const ROUNDS = 5
const SECONDS = 2
/** Paragraphs of 48 characters: a lesson of usual length, and the maximum. */
const USUAL = 60
const LONGEST = 8000

/**
 * The cost of saving after a pause in typing: the change of one block, compared with a procedure that updates one row.
 */
export async function lessonSaving({ socketDir, big }: Stage): Promise<Section> {
  const more = { JOBS_IN_PROCESS: 'false', API_RATE: '1000000000' }
  const ours = await startProduct(overSocket(socketDir), { more })
  const bare = await startProduct(overSocket(socketDir), { root: bareTree(), more })
  const usual = await makeLessons(socketDir, big, WRITERS, USUAL)
  const rounds: { ours: number; baseline: number }[] = []
  await rate(ours, big, usual)
  await rate(bare, big, usual)
  for (let n = 0; n < ROUNDS; n += 1) {
    rounds.push({ ours: await rate(ours, big, usual), baseline: await rate(bare, big, usual) })
  }
  await bare.stop()
  const [longest] = await makeLessons(socketDir, big, 1, LONGEST)
  const single = await rate(ours, big, longest ? [longest] : [])
  await ours.stop()
  const [mine, base] = [median(rounds.map((each) => each.ours)), median(rounds.map((each) => each.baseline))]
  const ratio = median(rounds.map((each) => each.ours / each.baseline))
  return {
    title: 'Saving a lesson',
    note: `Baseline R: a procedure at the same endpoint that updates one row of the same table by its id and returns its version. ${WRITERS} authors, each in a lesson of ${USUAL} paragraphs, send one changed paragraph after another.`,
    rows: [
      ratioRow('saveLesson, one changed block', `${mine.toFixed(0)}/s`, `${base.toFixed(0)}/s`, ratio, 0.5),
      limitRow('the same in a lesson of 384,000 characters, alone', 1000 / single, ' ms', null, 1),
      limitRow('bytes of such a request', bodyOf({ id: '0'.repeat(36), version: 100, count: 100 }).length, '', 2000),
    ],
  }
}

interface Written {
  id: string
  version: number
  count: number
}

// The same source tree, whose save is one update by an id.
function bareTree(): string {
  const root = copyTree()
  const api = path.join(root, 'src/lib/course/lesson/api.ts')
  const calls = fs.readFileSync(api, 'utf8')
  const bare = calls.replace('.input(schema.SaveLesson)', '.input(LessonId)')
  if (bare === calls) throw new Error('saveLesson is not where it was')
  fs.writeFileSync(api, bare)
  fs.writeFileSync(path.join(root, 'src/lib/course/lesson/save.ts'), BARE)
  return root
}

const BARE = `import { eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { lesson } from '../table.ts'
export const saveLesson = (actor, { lessonId }) =>
  inTenant(actor, async (tx) => {
    const [saved] = await tx
      .update(lesson)
      .set({ version: sql\`\${lesson.version} + 1\` })
      .where(eq(lesson.id, lessonId))
      .returning({ version: lesson.version })
    return { ...saved, savedAt: new Date() }
  })
`

/** Saves per second when all authors write concurrently, each waiting for the previous response. */
async function rate(product: Product, school: School, lessons: Written[]): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: lessons.length })
  const headers = { ...product.headersFor(school.subdomain, school.ownerToken), accept: 'application/json' }
  const until = performance.now() + SECONDS * 1000
  let saves = 0
  const write = async (lesson: Written) => {
    while (performance.now() < until) {
      lesson.count += 1
      lesson.version = await save({ agent, port: product.port, headers, lesson })
      saves += 1
    }
  }
  const since = performance.now()
  await Promise.all(lessons.map(write))
  agent.destroy()
  return (saves * 1000) / (performance.now() - since)
}

interface SaveRequest {
  agent: http.Agent
  port: number
  headers: Record<string, string>
  lesson: Written
}

function save({ agent, port, headers, lesson }: SaveRequest): Promise<number> {
  const body = bodyOf(lesson)
  const about = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const options = { host: '127.0.0.1', port, agent, method: 'POST', path: '/v1/module/course/saveLesson' }
  return new Promise((resolve, reject) => {
    const request = http.request({ ...options, headers: { ...headers, ...about } }, (response) => {
      let output = ''
      response.on('data', (chunk) => (output += String(chunk)))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Number(JSON.parse(output).version))
        else reject(new Error(`saveLesson answered ${response.statusCode}: ${output.slice(0, 300)}`))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

function bodyOf({ id, version, count }: Written): Buffer {
  const insert = [paragraph(`Слова, які автор щойно дописав до абзацу: ${count}`)]
  return Buffer.from(JSON.stringify({ lessonId: id, version, change: { at: 7, remove: 1, insert } }))
}

const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })

const LESSONS = `
  insert into lesson (tenant_id, id, course_id, module_id, title, position, blocks, words)
  select tenant_id, time_ordered_id(), course_id, id, 'Урок ' || n, 1000 + n, $2::jsonb, 1
  from (select * from course_module where tenant_id = $1::uuid limit 1) m, generate_series(1, $3::int) n returning id`

async function makeLessons(socketDir: string, school: School, count: number, paragraphs: number): Promise<Written[]> {
  const client = new pg.Client({ connectionString: overSocket(socketDir) })
  await client.connect()
  await client.query("select set_config('app.tenant_id', $1, false)", [school.tenantId])
  const content = Array.from({ length: paragraphs }, (_, n) => paragraph(`${n} `.padEnd(48, 'слово про вебінар ')))
  const blocks = JSON.stringify({ type: 'doc', content })
  const { rows } = await client.query<{ id: string }>(LESSONS, [school.tenantId, blocks, count])
  await client.end()
  return rows.map(({ id }) => ({ id, version: 1, count: 0 }))
}
