import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { addNote } from '#lib/student/card/notes.ts'
import {
  getMyData,
  openDataExport,
  removeExpiredExports,
  requestDataExport,
  runDataExport,
} from '#lib/student/personal-data/export.ts'
import { AUTHOR_COLUMNS, listPersonalDataSources, referencedObjectOf } from '#lib/student/personal-data/sources.ts'
import { startViewing } from '#lib/student/viewing/viewing.ts'
import { addMember } from '#lib/user/member.ts'
import { newestEmailTo } from '../../../setup/servers/sent-emails.ts'
import {
  createOtherTenant,
  createTestTenant,
  createTestUser,
  PASSWORD,
  signInTestUser,
  type TestTenant,
} from '../../../setup/tenants.ts'
import { unzipTexts } from '../../../setup/unzip.ts'

let home: TestTenant
let other: TestTenant
let actor: Actor
let email: string
let count = 0
const LAST = { isLastAttempt: true }

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  email = `person${++count}@my-data.test`
  const userId = await createTestUser(email, PASSWORD)
  await addStudent(home, userId)
  await addStudent(other, userId)
  ;({ actor } = await signInTestUser(userId, 'go'))
})
afterAll(() => pool.end())

async function addStudent({ tenant }: TestTenant, userId: string) {
  const student = { tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' } as const
  return (await addMember(student)).membershipId
}

async function download(by: Actor, exportId: string): Promise<Record<string, string>> {
  const { body } = await openDataExport(by, exportId)
  return unzipTexts(Buffer.from(await new Response(body).arrayBuffer()))
}

const idIn = (tenant: TestTenant) =>
  actor.memberships.find(({ tenantId }) => tenantId === tenant.tenant.id)?.membershipId ?? ''

test('has the data of all schools about the person, and nothing of others or secret', async () => {
  const neighbor = await addStudent(home, await createTestUser(`neighbor${count}@my-data.test`))
  await addNote(home.as.OWNER, { studentId: idIn(home), noteId: newId(), text: 'Нотатка про Олену' })
  await addNote(other.as.OWNER, { studentId: idIn(other), noteId: newId(), text: 'Нотатка сусідньої школи' })
  await addNote(home.as.OWNER, { studentId: neighbor, noteId: newId(), text: 'Нотатка про іншу людину' })
  await startViewing(home.as.OWNER, { studentId: idIn(home) })
  const { exportId } = await requestDataExport(actor)
  expect(await getMyData(actor)).toMatchObject({ export: { id: exportId, state: 'queued' } })
  await runDataExport({ exportId }, LAST)
  await runDataExport({ exportId }, LAST)
  for (const { tenantId, membershipId } of actor.memberships) {
    const { rows } = await inTenant({ tenantId }, (tx) =>
      tx.execute(sql`select kind, count from notification where member_id = ${membershipId}`),
    )
    expect(rows).toEqual([{ kind: 'data_exported', count: 1 }])
  }

  const files = await download(actor, exportId)
  const [ownFolder, otherFolder] = [home, other].map(({ tenant }) => `schools/${tenant.subdomain}`)
  expect(files[`${ownFolder}/student_note.json`]).toContain('Нотатка про Олену')
  expect(files[`${otherFolder}/student_note.json`]).toContain('Нотатка сусідньої школи')
  expect(JSON.parse(files['account/user.json'] ?? '')).toMatchObject([{ email, first_name: `person${count}` }])
  expect(files[`${ownFolder}/audit_entry.json`]).toContain('student.view_started')
  expect(files['README.txt']).toContain(email)
  const all = Object.values(files).join('\n')
  expect(all).not.toContain('Нотатка про іншу людину')
  expect(all).not.toMatch(/password_hash|token_hash|totp_secret/)
  const { link, subject } = await newestEmailTo(email)
  expect(subject).toBe('Архів ваших даних готовий')
  expect(link).toContain('/profile#my-data')
  expect(await getMyData(actor)).toMatchObject({ export: { state: 'ready' } })
})

test('has neither the secret nor the order of a running test', async () => {
  const { school } = await listPersonalDataSources({ userId: actor.userId, email, memberIds: [] })
  const attempts = school.find(({ table }) => table === 'quiz_attempt')
  expect(attempts?.omitted).toEqual(expect.arrayContaining(['seed', 'part_key', 'questions']))
})

test('pages through large tables', async () => {
  const studentId = idIn(home)
  await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.execute(sql`insert into student_note (tenant_id, id, student_id, author_id, text)
      select current_tenant(), gen_random_uuid(), ${studentId}, ${home.as.OWNER.membershipId}, 'Нотатка ' || n
      from generate_series(1, 1203) n`),
  )
  const { exportId } = await requestDataExport(actor)
  await runDataExport({ exportId }, LAST)
  const files = await download(actor, exportId)
  const notes: { text: string }[] = JSON.parse(files[`schools/${home.tenant.subdomain}/student_note.json`] ?? '')
  expect(new Set(notes.map(({ text }) => text)).size).toBe(1203)
})

test('runs once for several requests at the same time, and is sent once', async () => {
  const requests = await Promise.all(Array.from({ length: 3 }, () => requestDataExport(actor)))
  expect(new Set(requests.map(({ exportId }) => exportId)).size).toBe(1)
  const [{ exportId } = { exportId: '' }] = requests
  await runDataExport({ exportId }, LAST)
  await runDataExport({ exportId }, LAST)
  const { rows } = await inSystem((tx) =>
    tx.execute(sql`select 1 from mail where "to" = ${email} and subject = 'Архів ваших даних готовий'`),
  )
  expect(rows).toHaveLength(1)
})

test('is limited to three a day', async () => {
  for (let exports = 0; exports < 3; exports += 1) {
    const { exportId } = await requestDataExport(actor)
    await runDataExport({ exportId }, LAST)
  }
  await expect(requestDataExport(actor)).rejects.toMatchObject({ code: 'too_many' })
})

test('belongs to the person and ends after its time', async () => {
  const { exportId } = await requestDataExport(actor)
  const notFound = { code: 'not_found' }
  await expect(openDataExport(actor, exportId)).rejects.toMatchObject(notFound)
  await runDataExport({ exportId }, LAST)
  await expect(openDataExport(home.as.OWNER, exportId)).rejects.toMatchObject(notFound)
  await expect(openDataExport(actor, 'no-id')).rejects.toMatchObject(notFound)
  const viewing = {
    ...actor,
    impersonation: { memberId: home.as.OWNER.membershipId, expiresAt: new Date(), endPath: '/end' },
  }
  await expect(openDataExport(viewing, exportId)).rejects.toMatchObject({ code: 'forbidden' })
  await inSystem((tx) => tx.execute(sql`update data_export set expires_at = now() where id = ${exportId}`))
  await expect(openDataExport(actor, exportId)).rejects.toMatchObject(notFound)
  expect(await removeExpiredExports()).toBe(1)
  expect(await removeExpiredExports()).toBe(0)
  expect(await getMyData(actor)).toMatchObject({ export: null })
})

test('every column that refers to a member is classified', async () => {
  const { rows } = await pool.query<{ table: string; column: string }>(`
    select c.conrelid::regclass::text as table, a.attname as column from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[array_upper(c.conkey, 1)]
    where c.contype = 'f' and c.confrelid in
      ('membership'::regclass, 'student'::regclass, 'workshop_participant'::regclass)`)
  expect(rows.length).toBeGreaterThan(40)
  const unknown = rows.filter(({ table, column }) => !referencedObjectOf(table, column) && !AUTHOR_COLUMNS.has(column))
  expect(unknown).toEqual([])
})
