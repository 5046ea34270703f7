import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import type { ImportField } from '#lib/core/shared/student-import.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { deleteField } from '#lib/student/fields/fields.ts'
import { getImport, listFailedRows } from '#lib/student/import/import.ts'
import { startStudentImport } from '#lib/student/import/map.ts'
import { runImport } from '#lib/student/import/run.ts'
import { uploadImport } from '#lib/student/import/upload.ts'
import { addMember, findOrCreateUser, setMembersBlocked } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { whileRowsFail } from '../../../setup/failing-rows.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { changeAccess } from '../../../setup/parsed/course-access.ts'
import { createStudentMessage } from '../../../setup/parsed/student.ts'
import { addField } from '../../../setup/parsed/student-fields.ts'
import { mapImport } from '../../../setup/parsed/student-import.ts'
import { listStudents } from '../../../setup/parsed/student-list.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
const signal = new AbortController().signal

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  // Without a limit of students.
  await setPlan({
    tenantId: home.tenant.id,
    group: 'lms',
    plan: 'max',
    nextPayment: new Date(Date.now() + 1e9),
    trialEndsAt: null,
  })
  owner = (await findActor(home.token.OWNER, home.tenant.subdomain)) ?? home.as.OWNER
})
afterAll(async () => {
  closeWorkers()
  await pool.end()
})

const upload = (content: string | Uint8Array, actor = owner, importId = randomUUID() as string) =>
  uploadImport(actor, {
    importId,
    fileName: 'студенти.csv',
    bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
  })

async function check(content: string | Uint8Array, more: { tag?: string; courseId?: string; groupId?: string } = {}) {
  const { importId } = await upload(content)
  const { mapping } = await getImport(owner, { importId })
  await mapImport(owner, { importId, mapping, ...more })
  return importId
}

const run = async (importId: string, stop: { signal: AbortSignal } = { signal }) => {
  await startStudentImport(owner, { importId })
  await runImport({ tenantId: owner.tenantId, importId }, changeAccess, stop)
  return getImport(owner, { importId })
}

async function facts() {
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ facts: string }>(sql`select md5(string_agg(row::text, ',' order by row::text)) as facts from (
      select s.*::text as row from student s union all select t::text from student_tag t
      union all select g::text from access_grant g union all select m.id::text from mail m) all_rows`),
  )
  return rows[0]?.facts
}

const person = (number: number, at = 'import.test') => `Студент ${number},student-${number}@${at},+38067${number}`

test('a row that cannot be stored is reported, and the others are imported', async () => {
  const importId = await check(
    ['ПІБ,Email,Телефон', person(1, 'bad.test'), person(2, 'bad.test'), person(3, 'bad.test')].join('\n'),
  )
  await whileRowsFail({ table: 'user', column: 'email', value: 'student-2@bad.test' }, async () => {
    expect(await run(importId)).toMatchObject({ state: 'done' })
  })
  const failed = await listFailedRows(owner, { importId })
  expect(JSON.stringify(failed)).toContain('student-2@bad.test')
  const { items } = await listStudents(owner, { q: 'bad.test' })
  expect(items.map(({ email }) => email).sort()).toEqual(['student-1@bad.test', 'student-3@bad.test'])
})

/** `npm run soak -- student-imports` imports 10,000. */
const ROWS = Number(process.env.IMPORT_ROWS ?? 1000)

describe('an import', () => {
  test('of many rows of which 3 % are invalid adds the others, and a second run changes nothing', async () => {
    const [added, failed] = [ROWS * 0.97, ROWS * 0.03]
    const lines = Array.from({ length: ROWS }, (_, number) =>
      number % 100 < 3 ? `Помилка ${number},не-адреса-${number},` : person(number, 'large.test'),
    )
    const table = `Ім’я,Пошта,Телефон\n${lines.join('\n')}`
    const importId = await check(table, { tag: 'Імпорт' })
    expect((await getImport(owner, { importId })).counts).toEqual({ new: added, failed })
    expect((await run(importId)).counts).toEqual({ added, failed })
    const { items } = await listStudents(owner, { q: 'student-99@large.test' })
    expect(items).toMatchObject([{ name: 'Студент 99', phone: '+3806799', tags: ['Імпорт'], status: 'unknown' }])
    const before = await facts()
    const again = await check(table, { tag: 'Імпорт' })
    expect((await getImport(owner, { importId: again })).counts).toEqual({ existing: added, failed })
    expect((await run(again)).counts).toEqual({ unchanged: added, failed })
    expect(await facts()).toBe(before)
  }, 120_000)

  test('shows the outcome of every row, and keeps the failed ones unchanged', async () => {
    const { courseId } = await createCourse(owner, { title: 'Голос' })
    await createGroup(owner, {
      courseId,
      name: 'Осінь',
      startAt: '2026-09-01T00:00:00Z',
      endAt: null,
      timeZone: 'Europe/Kyiv',
    })
    const table = [
      'Email;Прізвище;Ім’я;Мітки;Група',
      'first@verdict.test;Коваль;Олена;новачки, осінь;осінь',
      'FIRST@verdict.test;Коваль;Олена;;',
      ';Без;Адреси;;',
      '=cmd()@;Зла;Формула;;',
      'second@verdict.test;"Мельник; мол.";Ігор;;Весна',
    ].join('\r\n')
    const importId = await check(table)
    const { rows } = await getImport(owner, { importId })
    expect(rows.map(({ verdict, reason }) => reason ?? verdict)).toEqual([
      'new',
      'duplicate',
      'email_missing',
      'email_invalid',
      'unknown_group',
    ])
    expect((await run(importId)).counts).toEqual({ added: 1, failed: 4 })
    expect(await auditedActions(owner, importId)).toEqual(['students.imported'])
    const [added] = (await listStudents(owner, { q: 'first@verdict.test' })).items
    expect(await auditedActions(owner, added?.id ?? '')).toEqual(['student.imported', 'student.access_changed'])
    expect(added).toMatchObject({ name: 'Олена Коваль', courses: ['Голос'], tags: ['новачки', 'осінь'] })
    const failed = await listFailedRows(owner, { importId })
    expect(failed.rows.map(({ number, reason }) => [number, reason])).toEqual([
      [2, 'duplicate'],
      [3, 'email_missing'],
      [4, 'email_invalid'],
      [5, 'unknown_group'],
    ])
    expect(failed.rows[3]?.cells[1]).toBe('Мельник; мол.')
  })

  test('stores the mapping of the school', async () => {
    const table = 'Адреса,Хто\nremember@import.test,Оля'
    const { importId } = await upload(table)
    const mapping: (ImportField | null)[] = ['email', 'firstName']
    await mapImport(owner, { importId, mapping })
    expect((await getImport(owner, { importId: (await upload(table)).importId })).mapping).toEqual(mapping)
    const theirs = await upload(table, other.as.OWNER)
    expect((await getImport(other.as.OWNER, theirs)).mapping).not.toEqual(mapping)
  })

  test('fills custom fields by the heading of the column, and a second run changes nothing', async () => {
    const { fieldId: contract } = await addField(owner, { name: 'Договір', kind: 'text' })
    const { fieldId: age } = await addField(owner, { name: 'Вік', kind: 'number' })
    const table = 'Пошта,договір,Вік\nfirst@custom.test,№ 7,"21,5"\nsecond@custom.test,,\nthird@custom.test,№ 9,багато'
    const importId = await check(table)
    const { mapping, rows } = await getImport(owner, { importId })
    expect(mapping).toEqual(['email', `field.${contract}`, `field.${age}`])
    expect(rows.map(({ verdict, fields }) => [verdict, fields])).toEqual([
      ['new', { Договір: '№ 7', Вік: '21.5' }],
      ['new', {}],
      ['new', { Договір: '№ 9' }],
    ])
    expect(rows[2]?.warnings).toEqual([{ code: 'field_invalid', value: 'багато', field: 'Вік' }])
    expect((await run(importId)).counts).toEqual({ added: 3 })
    const valuesOf = async (q: string) => (await listStudents(owner, { q })).items[0]?.fields
    expect(await valuesOf('first@custom.test')).toEqual({ [contract]: '№ 7', [age]: '21.5' })
    expect(await valuesOf('second@custom.test')).toEqual({})
    expect(await valuesOf('third@custom.test')).toEqual({ [contract]: '№ 9' })
    expect((await run(await check(table))).counts).toEqual({ unchanged: 3 })
    const [first] = (await listStudents(owner, { q: 'first@custom.test' })).items
    expect(await auditedActions(owner, first?.id ?? '')).toEqual(['student.imported'])
    expect((await run(await check(table.replace('№ 7', '№ 8')))).counts).toEqual({
      changed: 1,
      unchanged: 2,
    })
    expect(await valuesOf('first@custom.test')).toEqual({ [contract]: '№ 8', [age]: '21.5' })
    expect((await listAuditEntries(owner, { objectId: first?.id ?? '' })).items[0]).toMatchObject({
      action: 'student.changed',
      after: { customFields: { Договір: '№ 8' } },
    })
  })

  test('shows each field as it will be stored, and stores it', async () => {
    const table = [
      'Список студентів;;;',
      ';;;',
      'ПІБ;Електронна адреса;Мобільний;Мітки',
      'Шевченко Тарас Григорович;Тарас <taras@fields.test>;0671112233;VIP',
      'Українка;lesia@сfields.test;;',
    ].join('\n')
    const importId = await check(table)
    const { rows } = await getImport(owner, { importId })
    expect(rows[0]).toMatchObject({
      email: 'taras@fields.test',
      lastName: 'Шевченко',
      firstName: 'Тарас',
      patronymic: 'Григорович',
      phone: '0671112233',
      tags: ['VIP'],
    })
    expect(rows[1]).toMatchObject({ email: null, typedEmail: 'lesia@сfields.test', reason: 'email_look_alike' })
    await run(importId)
    const { items } = await listStudents(owner, { q: 'григорович 067' })
    expect(items).toEqual([])
    const [found] = (await listStudents(owner, { q: 'григорович тарас' })).items
    expect(found).toMatchObject({
      name: 'Тарас Шевченко',
      formalName: 'Шевченко Тарас Григорович',
      phone: '0671112233',
    })
  })

  test('into a group adds everybody, and gives its seats in the order of the file', async () => {
    const { courseId } = await createCourse(owner, { title: 'Тіло' })
    const { groupId } = await createGroup(owner, {
      courseId,
      name: 'Повна',
      startAt: '2026-09-01T00:00:00Z',
      endAt: null,
      timeZone: 'Europe/Kyiv',
      seats: 2,
    })
    const importId = await check(['z', 'm', 'a', 'q'].map((name) => `${name}@seats-of-group.test`).join('\n'), {
      groupId,
    })
    const report = await run(importId)
    expect(report.counts).toEqual({ added: 4 })
    expect(report.withoutAccess).toBe(2)
    expect(report.rows.map(({ email, verdict, reason }) => [email?.[0], verdict, reason])).toEqual([
      ['z', 'added', null],
      ['m', 'added', null],
      ['a', 'added', 'group_full'],
      ['q', 'added', 'group_full'],
    ])
    const { items } = await listStudents(owner, { groupId })
    expect(items.map(({ email }) => email[0]).toSorted()).toEqual(['m', 'z'])
    expect((await listFailedRows(owner, { importId })).rows.map(({ number }) => number)).toEqual([3, 4])
  })

  test('refuses a custom field of another school, and ignores a deleted one', async () => {
    const { fieldId: theirs } = await addField(other.as.OWNER, { name: 'Чуже', kind: 'text' })
    const { fieldId } = await addField(owner, { name: 'Тимчасове', kind: 'text' })
    const table = 'Пошта,Тимчасове\nforeign@custom.test,так'
    const { importId } = await upload(table)
    const foreign = mapImport(owner, { importId, mapping: ['email', `field.${theirs}`] })
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
    await mapImport(owner, { importId, mapping: ['email', `field.${fieldId}`] })
    await deleteField(owner, { fieldId })
    expect((await getImport(owner, { importId: (await upload(table)).importId })).mapping).toEqual(['email', null])
  })

  test('emails nobody, and afterwards creates a draft of the invitations', async () => {
    const importId = await check('quiet-1@import.test\nquiet-2@import.test\n')
    await run(importId)
    const { rows } = await inTenant(owner, (tx) => tx.execute(sql`select 1 from mail where "to" like 'quiet-%'`))
    expect(rows).toHaveLength(0)
    const target = { importId }
    const { messageId } = await createStudentMessage(owner, { messageId: randomUUID(), target, action: 'invite' })
    const recipients = await inTenant(owner, (tx) =>
      tx.execute(sql`select email from outgoing_recipient where message_id = ${messageId} order by email`),
    )
    expect(recipients.rows.map(({ email }) => email)).toEqual(['quiet-1@import.test', 'quiet-2@import.test'])
    const foreign = createStudentMessage(other.as.OWNER, { messageId: randomUUID(), target, action: 'invite' })
    await expect(foreign).rejects.toMatchObject({ code: 'unprocessable' })
  })

  test('continues where a crash has interrupted it, and is done once by two runs at the same time', async () => {
    const lines = Array.from({ length: 1200 }, (_, number) => person(number, 'crash.test'))
    const importId = await check(`Ім’я,Пошта,Телефон\n${lines.join('\n')}`)
    const stop = new AbortController()
    const interrupted = run(importId, stop)
    const timer = setInterval(async () => {
      if (((await getImport(owner, { importId })).counts.added ?? 0) > 0) stop.abort(new Error('crash'))
    }, 20)
    await interrupted.catch(() => null)
    clearInterval(timer)
    const data = { tenantId: owner.tenantId, importId }
    await Promise.all([1, 2].map(() => runImport(data, changeAccess, { signal })))
    expect((await getImport(owner, { importId })).counts).toEqual({ added: 1200 })
    expect((await listStudents(owner, { q: 'crash.test', limit: 200 })).items).toHaveLength(200)
  })

  test('posted twice is one import', async () => {
    const importId = randomUUID()
    await Promise.all([1, 2].map(() => upload('twice@import.test', owner, importId)))
    expect((await getImport(owner, { importId })).total).toBe(1)
    const { mapping } = await getImport(owner, { importId })
    await expect(startStudentImport(owner, { importId })).rejects.toMatchObject({ code: 'gone' })
    await mapImport(owner, { importId, mapping })
    await Promise.all([1, 2].map(() => startStudentImport(owner, { importId })))
    await runImport({ tenantId: owner.tenantId, importId }, changeAccess, { signal })
    await expect(mapImport(owner, { importId, mapping })).rejects.toMatchObject({ code: 'gone' })
  })

  test('does not restore a blocked student', async () => {
    const { userId } = await findOrCreateUser({ email: 'blocked@import.test' })
    const student = {
      tenantId: owner.tenantId,
      userId,
      accountType: 'ACCOUNT_TYPE_STUDENT',
      status: 'accepted',
    } as const
    const { membershipId } = await addMember(student)
    await inTenant(owner, (tx) => setMembersBlocked(tx, [membershipId], new Date()))
    const importId = await check('blocked@import.test', { tag: 'Нова' })
    expect((await getImport(owner, { importId })).rows).toMatchObject([{ verdict: 'failed', reason: 'blocked' }])
  })
})

test('of what is refused, nothing is stored', async () => {
  const stored = async () =>
    (
      await inTenant(owner, (tx) =>
        tx.execute<{ rows: number }>(sql`select ((select count(*) from student_import) +
          (select count(*) from student_import_row))::int as rows`),
      )
    ).rows[0]?.rows
  const before = await stored()
  for (const content of ['<!doctype html><p>a@b.test', 'name\nОлена', 'email\n', 'a@b.c\n'.repeat(200_000)])
    await expect(upload(content)).rejects.toMatchObject({ details: { fields: { file: [expect.any(String)] } } })
  expect(await stored()).toBe(before)
})

test('the last seats are taken once, by two imports at the same time', async () => {
  const school = await createTestTenant('Мала школа')
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: school.tenant.id, group: 'lms', plan: 'start', nextPayment, trialEndsAt: null })
  const actor = (await findActor(school.token.OWNER, school.tenant.subdomain)) ?? owner
  const tables = ['a', 'b'].map((name) =>
    Array.from({ length: 70 }, (_, number) => `${name}-${number}@seats.test`).join('\n'),
  )
  const ids: string[] = []
  for (const table of tables) {
    const { importId } = await upload(table, actor)
    await mapImport(actor, { importId, mapping: ['email'] })
    await startStudentImport(actor, { importId })
    ids.push(importId)
  }
  await Promise.all(ids.map((importId) => runImport({ tenantId: actor.tenantId, importId }, changeAccess, { signal })))
  const counts = await Promise.all(ids.map(async (importId) => (await getImport(actor, { importId })).counts))
  const { rows } = await inTenant(actor, (tx) =>
    tx.execute<{ students: number }>(sql`select count(*)::int as students from student`),
  )
  const added = counts.reduce((sum, { added: number = 0 }) => sum + number, 0)
  expect(rows[0]?.students).toBe(100)
  // The test school already has one student.
  expect(added).toBe(99)
})

test('is for owner and director, each for their own imports, and for the own school', async () => {
  const entered: string[] = []
  for (const role of ROLES) {
    await upload('role@import.test', home.as[role]).then(
      () => entered.push(role),
      (error: { code: string }) => expect(error.code).toBe('forbidden'),
    )
  }
  expect(entered).toEqual(ROLES.filter((role) => role === 'OWNER' || role === 'DIRECTOR'))
  const { importId } = await upload('own@import.test')
  for (const actor of [home.as.DIRECTOR, other.as.OWNER]) {
    await expect(getImport(actor, { importId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(mapImport(actor, { importId, mapping: ['email'] })).rejects.toMatchObject({ code: 'not_found' })
    await expect(startStudentImport(actor, { importId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(listFailedRows(actor, { importId })).rejects.toMatchObject({ code: 'not_found' })
  }
  const { courseId } = await createCourse(other.as.OWNER, { title: 'Чужий' })
  await expect(mapImport(owner, { importId, mapping: ['email'], courseId })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(async () => mapImport(owner, { importId, mapping: [null] })).rejects.toThrow('import_no_email')
})
