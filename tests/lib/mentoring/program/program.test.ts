import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { getAvailability, saveAvailability } from '#lib/mentoring/availability/availability.ts'
import { EMPTY_WEEK } from '#lib/mentoring/availability/schema.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import {
  changeEnrolment,
  enrolStudents,
  listEnrolments,
  restoreEnrolment,
  revokeEnrolment,
} from '#lib/mentoring/program/enrolment.ts'
import { listPrograms } from '#lib/mentoring/program/list.ts'
import { changeProgramStatus, createProgram, getProgram, saveProgram } from '#lib/mentoring/program/program.ts'
import { endProgramPurchase, grantProgram } from '#lib/mentoring/program/purchase.ts'
import { ListPrograms, ProgramSettings } from '#lib/mentoring/program/schema.ts'
import { getMentorOverview, getStudentOverview } from '#lib/mentoring/session/overview.ts'
import { listMentoringStatistics } from '#lib/mentoring/session/statistics.ts'
import { listUses } from '#lib/storage/file-use.ts'
import { createMentoring, type Mentoring } from '../../../setup/mentoring.ts'
import { addTestMember, createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
let other: Awaited<ReturnType<typeof createOtherTenant>>
beforeEach(async () => {
  school = await createMentoring()
  other = await createOtherTenant()
})

const enrolmentOf = async (student: Actor) => {
  const { mentor, programId } = school
  const found = (await listEnrolments(mentor, { programId, limit: 100 })).items.find(
    ({ studentId }) => studentId === student.membershipId,
  )
  if (!found) throw new Error('the student has no access')
  return found
}

async function addFile({ tenantId, membershipId }: Actor, id: string, kind: 'image' | 'doc'): Promise<void> {
  await inTenant({ tenantId }, (tx) =>
    tx.execute(sql`insert into file (tenant_id, id, owner_id, kind, name, mime, size)
      values (${tenantId}, ${id}, ${membershipId}, ${kind}, 'файл', ${kind === 'image' ? 'image/webp' : 'text/plain'}, 10)`),
  )
}

/** Each action with the roles that may perform it: the mentor of the school's program is assigned to it. */
const CONTENT = ['OWNER', 'DIRECTOR', 'EXPERT'] as const
const ACTIONS = {
  createProgram: { roles: CONTENT, run: (actor) => createProgram(actor, { programId: newId(), title: 'Програма' }) },
  getProgram: { roles: [...CONTENT, 'MENTOR'], run: (actor) => getProgram(actor, school) },
  listPrograms: { roles: [...CONTENT, 'MENTOR'], run: (actor) => listPrograms(actor, ListPrograms.parse({})) },
  listEnrolments: { roles: [...CONTENT, 'MENTOR'], run: (actor) => listEnrolments(actor, { ...school, limit: 50 }) },
  getAvailability: { roles: [...CONTENT, 'MENTOR'], run: (actor) => getAvailability(actor) },
  getMentorOverview: { roles: [...CONTENT, 'MENTOR'], run: (actor) => getMentorOverview(actor) },
  listMentoringStatistics: { roles: [...CONTENT, 'MENTOR'], run: (actor) => listMentoringStatistics(actor) },
  getStudentOverview: { roles: ['STUDENT'], run: (actor) => getStudentOverview(actor) },
  unpublish: {
    roles: [...CONTENT, 'MENTOR'],
    run: (actor) => changeProgramStatus(actor, { ...school, action: 'unpublish' }),
  },
  archive: { roles: CONTENT, run: (actor) => changeProgramStatus(actor, { ...school, action: 'archive' }) },
} satisfies Record<string, { roles: readonly string[]; run: (actor: Actor) => Promise<unknown> }>

test('each role may perform the actions of the table and no others', async () => {
  for (const [name, { roles, run }] of Object.entries(ACTIONS)) {
    for (const role of ROLES) {
      // Another refusal, e.g. by the limit of the plan, comes after the permission.
      const outcome = await Promise.resolve()
        .then((): Promise<unknown> => run(school.home.as[role]))
        .then(
          () => 'allowed',
          (error: { code?: string }) => (error.code === 'forbidden' ? 'forbidden' : 'allowed'),
        )
      expect(`${name} ${role} ${outcome}`).toBe(
        `${name} ${role} ${roles.some((allowed) => allowed === role) ? 'allowed' : 'forbidden'}`,
      )
    }
  }
})

test('a mentor of other programs sees a program but cannot change it', async () => {
  const stranger = await addTestMember(school.home, 'MENTOR', 'stranger@school.test')
  const { settings, version, canManage } = await getProgram(stranger, school)
  expect(canManage).toBe(false)
  const { programId } = school
  for (const change of [
    () => saveProgram(stranger, { programId, version, settings: { ...settings, title: 'Інша' } }),
    () => changeProgramStatus(stranger, { programId, action: 'unpublish' }),
    () => enrolStudents(stranger, { programId, studentIds: [], groupId: null, mentorId: null, sessionsTotal: 1 }),
  ]) {
    await expect(change()).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('concurrent creations do not exceed the limit of the plan, and an archived program counts no more', async () => {
  const { home, programId } = school
  const create = () => createProgram(home.as.OWNER, { programId: newId(), title: 'Програма' })
  const results = await Promise.allSettled(Array.from({ length: 30 }, create))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const result of refused) {
    expect(result).toMatchObject({ reason: { details: { fields: { form: ['limit_mentor_program_count'] } } } })
  }
  const { items: listed } = await listPrograms(home.as.OWNER, ListPrograms.parse({}))
  expect(listed.length - 1).toBe(results.length - refused.length)
  await changeProgramStatus(home.as.OWNER, { programId, action: 'archive' })
  await create()
  await expect(changeProgramStatus(home.as.OWNER, { programId, action: 'restore' })).rejects.toMatchObject({
    details: { fields: { form: ['limit_mentor_program_count'] } },
  })
})

describe('saving', () => {
  test('is refused when a program has changed, and succeeds when the same is sent again', async () => {
    const { mentor, programId } = school
    const { settings, version } = await getProgram(mentor, school)
    const changed = { ...settings, title: 'Нова назва' }
    expect(await saveProgram(mentor, { programId, version, settings: changed })).toEqual({ version: version + 1 })
    expect(await saveProgram(mentor, { programId, version, settings: changed })).toEqual({ version: version + 1 })
    await expect(saveProgram(mentor, { programId, version, settings })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('an archived program is neither changed nor given to students', async () => {
    const { home, programId, student } = school
    const owner = home.as.OWNER
    await changeProgramStatus(owner, { programId, action: 'archive' })
    const { settings, version } = await getProgram(owner, school)
    const refused = { details: { fields: { form: ['program_archived'] } } }
    const changed = { ...settings, title: 'Нова назва' }
    await expect(saveProgram(owner, { programId, version, settings: changed })).rejects.toMatchObject(refused)
    const enrol = { programId, studentIds: [student.membershipId], groupId: null, mentorId: null, sessionsTotal: 9 }
    await expect(enrolStudents(owner, enrol)).rejects.toMatchObject(refused)
  })

  test('a published program cannot lose its mentors or its place', async () => {
    const { mentor, programId } = school
    const { settings, version } = await getProgram(mentor, school)
    for (const gap of [{ mentorIds: [] }, { placeText: '' }]) {
      const save = saveProgram(mentor, { programId, version, settings: { ...settings, ...gap } })
      await expect(save).rejects.toMatchObject({ code: 'not_ready' })
    }
  })

  test('refuses a student, an unknown person and a member of another school as a mentor', async () => {
    const { mentor, programId, student } = school
    const { settings, version } = await getProgram(mentor, school)
    for (const id of [student.membershipId, newId(), other.as.MENTOR.membershipId]) {
      const save = saveProgram(mentor, { programId, version, settings: { ...settings, mentorIds: [id] } })
      await expect(save).rejects.toMatchObject({ details: { fields: { mentorIds: ['mentors_unknown'] } } })
    }
  })

  test('a cover is an image of the storage, is shown to staff and students, and is marked as used', async () => {
    const { home, mentor, programId, student } = school
    const [cover, text, foreign] = [newId(), newId(), newId()]
    await addFile(home.as.OWNER, cover, 'image')
    await addFile(home.as.OWNER, text, 'doc')
    await addFile(other.as.OWNER, foreign, 'image')
    const { settings, version } = await getProgram(mentor, school)
    const save = (coverFileId: string | null, from = version) =>
      saveProgram(mentor, { programId, version: from, settings: { ...settings, coverFileId } })
    await expect(save(text)).rejects.toMatchObject({ code: 'wrong_type' })
    await expect(save(foreign)).rejects.toMatchObject({ code: 'not_found' })
    const saved = await save(cover)
    expect((await getProgram(mentor, school)).cover?.src).toContain(cover)
    expect((await listPrograms(mentor, ListPrograms.parse({}))).items[0]?.cover?.src).toContain(cover)
    expect((await getStudentOverview(student)).programs.items[0]?.cover?.src).toContain(cover)
    expect((await getBookingPage(student, { programId, mentorId: null })).cover?.src).toContain(cover)
    expect(await listUses(home.as.OWNER, { fileId: cover })).toMatchObject([{ kind: 'mentoring', id: programId }])
    await save(null, saved.version)
    expect(await listUses(home.as.OWNER, { fileId: cover })).toEqual([])
  })

  test('a link without https and a group of one seat are invalid', () => {
    expect(ProgramSettings.safeParse({ title: 'П', placeText: 'javascript:alert(1)' }).success).toBe(false)
    expect(ProgramSettings.safeParse({ title: 'П', format: 'group', seats: 1 }).success).toBe(false)
    expect(ProgramSettings.safeParse({ title: 'П', sessionMinutes: 17 }).success).toBe(false)
  })
})

describe('access', () => {
  test('is given once, revoked and restored', async () => {
    const { home, programId, student } = school
    const again = { programId, studentIds: [student.membershipId], groupId: null, mentorId: null, sessionsTotal: 9 }
    expect(await enrolStudents(home.as.OWNER, again)).toEqual({ count: 0 })
    const { id: enrolmentId } = await enrolmentOf(student)
    await changeEnrolment(home.as.OWNER, { enrolmentId, sessionsTotal: 5, mentorId: null })
    expect((await enrolmentOf(student)).sessionsTotal).toBe(5)
    await revokeEnrolment(home.as.OWNER, { enrolmentId })
    await revokeEnrolment(home.as.OWNER, { enrolmentId })
    expect((await getStudentOverview(student)).programs.items).toEqual([])
    await restoreEnrolment(home.as.OWNER, { enrolmentId })
    expect((await getStudentOverview(student)).programs.items).toHaveLength(1)
  })

  test('an order adds sessions once', async () => {
    const { programId, student, mentor } = school
    const fourth = await addTestMember(school.home, 'STUDENT', 'fourth@school.test')
    const grant = (actor: Actor, orderId: string) =>
      inTenant(mentor, (tx) =>
        grantProgram(tx, mentor.tenantId, { programId, studentId: actor.membershipId, sessions: 4, orderId }),
      )
    const orderId = newId()
    await grant(fourth, orderId)
    await grant(fourth, orderId)
    expect((await enrolmentOf(fourth)).sessionsTotal).toBe(4)
    const second = newId()
    await grant(student, second)
    await grant(student, newId())
    await grant(student, second)
    expect((await enrolmentOf(student)).sessionsTotal).toBe(11)
    const end = (id: string) => inTenant(mentor, (tx) => endProgramPurchase(tx, id))
    for (const id of [second, second, newId()]) await end(id)
    expect((await enrolmentOf(student)).sessionsTotal).toBe(7)
    // Nothing but the order gave this student access.
    await end(orderId)
    await expect(enrolmentOf(fourth)).rejects.toThrow('no access')
    await grant(fourth, orderId)
    expect((await enrolmentOf(fourth)).sessionsTotal).toBe(4)
  })

  test('is not given to team members and people of another school', async () => {
    const { home, programId, mentor } = school
    for (const id of [mentor.membershipId, other.as.STUDENT.membershipId]) {
      const enrol = enrolStudents(home.as.OWNER, {
        programId,
        studentIds: [id],
        groupId: null,
        mentorId: null,
        sessionsTotal: null,
      })
      await expect(enrol).rejects.toMatchObject({ code: 'not_found' })
    }
  })
})

test('another school finds neither the program nor its students', async () => {
  const { OWNER: stranger } = other.as
  const { programId, student } = school
  const { id: enrolmentId } = await enrolmentOf(student)
  for (const call of [
    () => getProgram(stranger, { programId }),
    () => changeProgramStatus(stranger, { programId, action: 'archive' }),
    () => revokeEnrolment(stranger, { enrolmentId }),
    () => listEnrolments(stranger, { programId, limit: 50 }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await listMentoringStatistics(stranger)).toEqual([])
})

test('hours are saved based on their version', async () => {
  const { mentor } = school
  const { version, ...hours } = await getAvailability(mentor)
  const free = {
    ...hours,
    weekly: EMPTY_WEEK.map(() => [{ from: 540, to: 600 }]),
    overrides: [{ date: '2027-03-01', ranges: [{ from: 600, to: 660 }] }],
    travels: [{ from: '2027-03-02', to: '2027-03-03', timeZone: 'Europe/Lisbon' }],
  }
  expect(await saveAvailability(mentor, { ...free, version })).toEqual({ version: version + 1 })
  expect(await saveAvailability(mentor, { ...free, version })).toEqual({ version: version + 1 })
  await expect(saveAvailability(mentor, { ...hours, version })).rejects.toMatchObject({ code: 'conflict' })
})

test('the students of a program are listed page by page, each once, also those with equal names', async () => {
  await school.addCrowd(7, 0)
  const { home, programId } = school
  await inTenant(home.as.OWNER, (tx) => tx.execute(`update "user" set first_name = 'Олена' where email like 'crowd-%'`))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await listEnrolments(home.as.OWNER, { programId, cursor, limit: 4 })
    expect(page.items.length).toBeLessThanOrEqual(4)
    seen.push(...page.items.map(({ studentId }) => studentId))
    cursor = page.next ?? undefined
  } while (cursor)
  expect(seen).toHaveLength(10)
  expect(new Set(seen).size).toBe(10)
  const call = () => listEnrolments(home.as.OWNER, { programId, cursor: 'wrong', limit: 4 })
  await expect(Promise.resolve().then(call)).rejects.toMatchObject({ code: 'invalid' })
})
