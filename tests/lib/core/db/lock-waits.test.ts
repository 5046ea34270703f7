import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { createProgram } from '#lib/mentoring/program/program.ts'
import { compactRollupsOf } from '#lib/offer/report/compact.ts'
import { moveRollupsOf } from '#lib/offer/report/move-rollups.ts'
import { copyFiles } from '#lib/storage/copy.ts'
import { createStorageFolder } from '#lib/storage/folders.ts'
import { file } from '#lib/storage/table.ts'
import { deleteFiles, restoreFiles } from '#lib/storage/trash.ts'
import { getImport } from '#lib/student/import/import.ts'
import { startStudentImport } from '#lib/student/import/map.ts'
import { runImport } from '#lib/student/import/run.ts'
import { uploadImport } from '#lib/student/import/upload.ts'
import { inviteStudent } from '#lib/student/student.ts'
import { teamAssignments } from '#lib/team-assignments.ts'
import { findActor } from '#lib/user/session.ts'
import { chatCourse, sendText, startDirect } from '../../../setup/chat/conversations.ts'
import { createWebinar, visitorAt } from '../../../setup/meeting/events.ts'
import { answerBank, createSoldOffer, order } from '../../../setup/offer/orders.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { changeAccess } from '../../../setup/parsed/course-access.ts'
import { registerForEvent } from '../../../setup/parsed/registration.ts'
import { addField } from '../../../setup/parsed/student-fields.ts'
import { mapImport } from '../../../setup/parsed/student-import.ts'
import { inviteMember } from '../../../setup/parsed/team.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

/** `npm run soak -- locks` sets both: seconds of load, and the longest permitted wait. */
const SECONDS = Number(process.env.LOCK_SECONDS ?? 2)
const MAX_WAIT_MS = Number(process.env.LOCK_MAX_WAIT_MS ?? 5000)
const ORDERS = Number(process.env.LOCK_ORDERS ?? 10)
const SAMPLE_MS = 10
const FILES = 500

afterAll(async () => {
  closeWorkers()
  await pool.end()
})

test('operations of one school that run concurrently do not wait long for its locks', {
  timeout: (SECONDS + 300) * 1000,
}, async () => {
  const home = await createTestTenant()
  for (const group of ['lms', 'workshop'] as const)
    await setPlan({
      tenantId: home.tenant.id,
      group,
      plan: 'max',
      nextPayment: new Date(Date.now() + 1e9),
      trialEndsAt: null,
    })
  const owner = (await findActor(home.token.OWNER, home.tenant.subdomain)) ?? home.as.OWNER
  const { courseId } = await chatCourse(home)
  const offerId = await createSoldOffer(owner, courseId)
  const { workshopId } = await createWebinar(owner, { startAt: new Date(Date.now() + 86_400_000).toISOString() })
  const conversationId = await startDirect(owner, home.as.CURATOR)
  const folderId = await fillFolder()
  for (let n = 0; n < ORDERS; n += 1) await buy()
  const email = () => `${randomUUID()}@locks.test`

  async function fillFolder(): Promise<string> {
    const folder = await createStorageFolder(owner, { parentId: null, name: 'Повна' })
    await inTenant(owner, (tx) =>
      tx.insert(file).values(
        Array.from({ length: FILES }, (_, n) => ({
          tenantId: owner.tenantId,
          parentId: folder.folderId,
          kind: 'folder' as const,
          name: `Тека ${n}`,
          ownerId: owner.membershipId,
        })),
      ),
    )
    return folder.folderId
  }

  async function buy(): Promise<void> {
    await pool.query('delete from throttle')
    await answerBank(await order(home, offerId), 'success')
  }

  async function importStudents(): Promise<void> {
    const importId = randomUUID()
    const rows = Array.from({ length: Math.min(1000, SECONDS * 50) }, (_, n) => `Студент ${n},${email()}`)
    const bytes = new TextEncoder().encode(`Ім’я,Пошта\n${rows.join('\n')}`)
    await uploadImport(owner, { importId, fileName: 'студенти.csv', bytes })
    const { mapping } = await getImport(owner, { importId })
    await mapImport(owner, { importId, mapping, courseId })
    await startStudentImport(owner, { importId })
    await runImport({ tenantId: owner.tenantId, importId }, changeAccess, { signal: new AbortController().signal })
  }

  let zone = 0
  async function changeZone(): Promise<void> {
    const timeZone = ['America/New_York', 'Asia/Tokyo', 'Europe/Kyiv'][zone++ % 3]
    await pool.query('update tenant set time_zone = $2 where id = $1', [owner.tenantId, timeZone])
    await moveRollupsOf(owner.tenantId)
    await compactRollupsOf(owner.tenantId)
  }

  async function copyFolder(): Promise<void> {
    const { copies } = await copyFiles(owner, { fileIds: [folderId], folderId: null })
    await deleteFiles(owner, { fileIds: copies, sure: true })
    await restoreFiles(owner, { fileIds: copies })
    await deleteFiles(owner, { fileIds: copies, sure: true })
  }

  const operations: Record<string, () => Promise<unknown>> = {
    'purchase and payment': buy,
    'change of the time zone': changeZone,
    'import of students': importStudents,
    'invitation of a student': () => inviteStudent(owner, { email: email() }),
    'invitation of a team member': () => inviteMember(owner, { email: email() }, teamAssignments),
    'new course': () => createCourse(owner, { title: 'Курс' }),
    'new event': () => createWebinar(owner),
    'new program of mentoring': () => createProgram(owner, { programId: randomUUID(), title: 'Програма' }),
    'new field of students': () => addField(owner, { name: randomUUID(), kind: 'text' }),
    'copy and trash of a folder': copyFolder,
    registration: () => registerForEvent(visitorAt(home), { workshopId, email: email(), name: 'Олена' }),
    message: () => sendText(owner, conversationId, 'Вітаю'),
  }
  const until = performance.now() + SECONDS * 1000
  const sampler = sampleWaits(owner.tenantId, until)
  const durations = new Map<string, number[]>()
  const failures = new Set<string>()
  const refused = new Map<string, number>()
  await Promise.all(
    Object.entries(operations).map(async ([name, run]) => {
      while (performance.now() < until) {
        const started = performance.now()
        try {
          await run()
        } catch (error) {
          if (!(error instanceof Refusal))
            failures.add(`${name}: ${String(error).slice(0, 200)} ${error instanceof Error ? error.cause : ''}`)
          refused.set(name, (refused.get(name) ?? 0) + 1)
          await setTimeout(SAMPLE_MS)
        }
        durations.set(name, [...(durations.get(name) ?? []), performance.now() - started])
      }
    }),
  )
  const waits = await sampler
  const lines = [...durations].map(
    ([name, all]) =>
      `${name}: ${all.length} runs (${refused.get(name) ?? 0} refused), longest ${Math.round(Math.max(...all))} ms`,
  )
  const waited = [...waits].map(([lock, { ms, blockedBy }]) => `${lock}: longest wait ${ms} ms, for ${blockedBy}`)
  console.log([...lines, '', ...(waited.length > 0 ? waited : ['no waits'])].join('\n'))
  expect([...failures]).toEqual([])
  expect(Math.max(0, ...[...waits.values()].map(({ ms }) => ms))).toBeLessThanOrEqual(MAX_WAIT_MS)
})

/** The locks of a whole school. */
const NAMES = [
  'students',
  'team',
  'courses',
  'workshops',
  'mentor programs',
  'fields',
  'storage',
  'plans',
  'sales rollup',
]

interface Wait {
  ms: number
  /** Statement of the transaction that had the lock. */
  blockedBy: string
}

/** Longest waits for advisory locks, by lock, until an instant. */
async function sampleWaits(tenantId: string, until: number): Promise<Map<string, Wait>> {
  const longest = new Map<string, Wait>()
  const client = await pool.connect()
  try {
    while (performance.now() < until) {
      const { rows } = await client.query<{ lock: string; ms: number; blocked_by: string | null }>(WAITS, [
        NAMES,
        tenantId,
      ])
      for (const { lock, ms, blocked_by: blockedBy } of rows) {
        if (ms > (longest.get(lock)?.ms ?? 0)) longest.set(lock, { ms, blockedBy: blockedBy ?? '' })
      }
      await setTimeout(SAMPLE_MS)
    }
  } finally {
    client.release()
  }
  return longest
}

const WAITS = `
  select coalesce(case when l.classid = 4321002 then 'live events' end, n.name, 'of an object') as lock,
    (extract(epoch from clock_timestamp() - l.waitstart) * 1000)::int as ms,
    (select left(regexp_replace(b.query, '\\s+', ' ', 'g'), 120) from pg_stat_activity b
      where b.pid = (pg_blocking_pids(l.pid))[1]) as blocked_by
  from pg_locks l
  left join unnest($1::text[]) n(name)
    on hashtextextended(n.name || ' ' || $2, 0) = ((l.classid::bigint << 32) | l.objid::bigint)
  where l.locktype = 'advisory' and not l.granted and l.waitstart is not null`
