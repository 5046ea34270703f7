import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { WORKSHOP_TYPES, type WorkshopType } from '#lib/core/shared/event/live-event.ts'
import { findClockAmbiguity, instantOf, laterInstantOf } from '#lib/core/shared/time-zone.ts'
import { eventStatusOf, sessionStatusOf } from '#lib/workshop/rules.ts'
import { listMyWorkshops } from '#lib/workshop/student-list.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { listWorkshops } from '../../setup/parsed/workshop.ts'
import { createTestTenant, signInTestUser, type TestTenant } from '../../setup/tenants.ts'

const MINUTE = 60_000
const NOW = new Date('2026-10-25T00:30:00.000Z')
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE)

let ours: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  const nextPayment = new Date(Date.now() + 30 * 24 * 60 * MINUTE)
  await setPlan({ tenantId: ours.tenant.id, group: 'workshop', plan: 'max', nextPayment })
  owner = (await signInTestUser(ours.as.OWNER.userId, ours.tenant.subdomain)).actor
})

interface Planned {
  type: WorkshopType
  publication?: 'draft' | 'published'
  access?: string
  startAt: Date | null
  plannedMinutes: number
  startedAt?: Date | null
  finishedAt?: Date | null
  canceledAt?: Date | null
}

/** Inserts an event. Returns its id. */
function put(plan: Planned): Promise<string> {
  const id = newId()
  const { type, publication = 'published', access = 'registration', plannedMinutes } = plan
  const moment = (value: Date | null | undefined) => value?.toISOString() ?? null
  return inTenant(owner, async (tx) => {
    await tx.execute(sql`insert into workshop (tenant_id, id, type, title, publication, access, start_at, time_zone,
      planned_minutes, settings, created_by, canceled_at) values (${owner.tenantId}, ${id}, ${type}, ${id}, ${publication},
      ${access}, ${moment(plan.startAt)}, 'Europe/Kyiv', ${plannedMinutes}, '{}', ${owner.membershipId}, ${moment(plan.canceledAt)})`)
    const kind = { webinar: 'live', autoWebinar: 'auto', masterclass: 'onDemand' }[type]
    await tx.execute(sql`insert into workshop_session (tenant_id, id, workshop_id, kind, start_at, planned_minutes,
      started_at, finished_at, state) values (${owner.tenantId}, ${newId()}, ${id}, ${kind}, ${moment(plan.startAt)},
      ${plannedMinutes}, ${moment(plan.startedAt)}, ${moment(plan.finishedAt)}, '{}')`)
    return id
  })
}

describe('the status of an event', () => {
  test.each([
    ['before its start', at(1), null, null, 'upcoming'],
    ['at its start', at(0), null, null, 'pending'],
    ['a moment before patience ends', at(-59.99), null, null, 'pending'],
    ['when patience ends', at(-60), null, null, 'expired'],
    ['once begun', at(-500), at(-499), null, 'active'],
    ['begun before its time', at(10), at(-1), null, 'active'],
    ['once finished', at(-100), at(-99), at(-1), 'finished'],
    ['without a date', null, null, null, 'upcoming'],
  ] as const)('%s', (_, startAt, startedAt, finishedAt, status) => {
    const facts = { publication: 'published', startAt, startedAt, finishedAt, plannedMinutes: 45 } as const
    expect(sessionStatusOf(facts, NOW)).toBe(status)
  })

  test('stays waiting as long as a long event is planned', () => {
    const facts = { publication: 'published', startedAt: null, finishedAt: null, plannedMinutes: 180 } as const
    expect(sessionStatusOf({ ...facts, startAt: at(-179) }, NOW)).toBe('pending')
    expect(sessionStatusOf({ ...facts, startAt: at(-180) }, NOW)).toBe('expired')
  })

  // 60 minutes are 60 minutes of elapsed time, also in the night of a clock change.
  test('counts instants across a clock change', () => {
    const startAt = instantOf('2026-10-25', '03:30', 'Europe/Kyiv')
    const facts = { publication: 'published', startAt, startedAt: null, finishedAt: null, plannedMinutes: 60 } as const
    expect(startAt).toEqual(NOW)
    expect(sessionStatusOf(facts, laterInstantOf('2026-10-25', '03:30', 'Europe/Kyiv'))).toBe('expired')
    expect(sessionStatusOf(facts, instantOf('2026-10-25', '03:45', 'Europe/Kyiv'))).toBe('pending')
  })

  test('is identical in the rule and in SQL, for every type', async () => {
    const plans: Planned[] = WORKSHOP_TYPES.flatMap((type) =>
      [-200, -90, -61, -60, -59, -1, 0, 1, 500].flatMap((minutes) =>
        [30, 90].flatMap((plannedMinutes) =>
          (['draft', 'published'] as const).flatMap((publication) => [
            { type, publication, plannedMinutes, startAt: at(minutes) },
            { type, publication, plannedMinutes, startAt: at(minutes), startedAt: at(minutes) },
            {
              type,
              publication,
              plannedMinutes,
              startAt: at(minutes),
              startedAt: at(minutes),
              finishedAt: at(minutes + 1),
            },
          ]),
        ),
      ),
    )
    const expected = new Map<string, string>()
    for (const plan of plans) {
      const facts = { publication: 'published' as const, startedAt: null, finishedAt: null, ...plan }
      expected.set(await put(plan), eventStatusOf(plan.type, facts, NOW))
    }
    const found = new Map<string, string>()
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listWorkshops(owner, cursor ? { cursor } : {}, NOW)
      for (const { id, status } of page.items) found.set(id, status)
      cursor = page.next
    }
    for (const [id, status] of expected)
      expect(found.get(id), plans[[...expected.keys()].indexOf(id)]?.type).toBe(status)
    expect(found.size).toBe(expected.size)
  })
})

describe('a local time', () => {
  test.each([
    ['2027-03-28', '02:59', 'Europe/Kyiv', null],
    ['2027-03-28', '03:00', 'Europe/Kyiv', 'skipped'],
    ['2027-03-28', '03:59', 'Europe/Kyiv', 'skipped'],
    ['2027-03-28', '04:00', 'Europe/Kyiv', null],
    ['2027-10-31', '02:59', 'Europe/Kyiv', null],
    ['2027-10-31', '03:00', 'Europe/Kyiv', 'twice'],
    ['2027-10-31', '03:59', 'Europe/Kyiv', 'twice'],
    ['2027-10-31', '04:00', 'Europe/Kyiv', null],
    ['2027-03-14', '02:30', 'America/New_York', 'skipped'],
    ['2027-11-07', '01:30', 'America/New_York', 'twice'],
    ['2027-04-04', '01:45', 'Australia/Lord_Howe', 'twice'],
    ['2027-03-28', '03:30', 'UTC', null],
  ] as const)('%s %s in %s: %s', (day, time, zone, problem) => {
    expect(findClockAmbiguity(day, time, zone)).toBe(problem)
  })

  test('that occurs twice has two instants, any other one', () => {
    const first = instantOf('2027-10-31', '03:30', 'Europe/Kyiv')
    expect(laterInstantOf('2027-10-31', '03:30', 'Europe/Kyiv').getTime() - first.getTime()).toBe(60 * MINUTE)
    expect(laterInstantOf('2027-10-31', '05:30', 'Europe/Kyiv')).toEqual(
      instantOf('2027-10-31', '05:30', 'Europe/Kyiv'),
    )
  })
})

describe("the student's list", () => {
  test('contains events open to students and their registrations, and no draft', async () => {
    const student = ours.as.STUDENT
    // The events of the other tests exceed a page of a student.
    await inTenant(student, (tx) => tx.execute(sql`update workshop set archived_at = now()`))
    const webinar = { type: 'webinar', plannedMinutes: 60, startAt: at(60) } as const
    const open = await put({ ...webinar, access: 'students' })
    const hidden = await put({ ...webinar, publication: 'draft' })
    const byLink = await put({ ...webinar, access: 'link' })
    const past = await put({ ...webinar, startAt: at(-900), startedAt: at(-900), finishedAt: at(-800) })
    const mine = await put({ ...webinar, access: 'link', canceledAt: at(-1) })
    await inTenant(student, (tx) =>
      tx.execute(sql`insert into registration
        (tenant_id, id, workshop_id, member_id, email, name, locale, time_zone, join_digest, join_sealed)
        values (${student.tenantId}, ${newId()}, ${mine}, ${student.membershipId}, ${student.email}, 'Я', 'uk', 'Europe/Kyiv', ${mine}, '')`),
    )
    const found = new Map((await listMyWorkshops(student, NOW)).map((event) => [event.id, event]))
    expect(found.get(open)).toMatchObject({ registered: false, status: 'upcoming' })
    expect(found.get(mine)).toMatchObject({ registered: true })
    for (const id of [hidden, byLink, past]) expect(found.has(id)).toBe(false)
    await expect(listMyWorkshops(ours.as.EXPERT)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the list', () => {
  test('filters by type, publication, status and text, and pages with a cursor', async () => {
    const only = { search: 'Сторінка' }
    for (let number = 0; number < 30; number += 1) {
      const id = await put({ type: number % 2 ? 'webinar' : 'masterclass', startAt: at(90), plannedMinutes: 60 })
      await inTenant(owner, (tx) =>
        tx.execute(sql`update workshop set title = ${`Сторінка ${number} 100%_`} where id = ${id}`),
      )
    }
    const first = await listWorkshops(owner, only, NOW)
    const second = await listWorkshops(owner, { ...only, cursor: first.next ?? '' }, NOW)
    expect([first.items.length, second.items.length, second.next]).toEqual([24, 6, null])
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(30)
    expect((await listWorkshops(owner, { ...only, type: 'webinar' }, NOW)).items).toHaveLength(15)
    expect((await listWorkshops(owner, { ...only, status: 'active' }, NOW)).items).toHaveLength(0)
    expect((await listWorkshops(owner, { ...only, status: 'upcoming' }, NOW)).items).toHaveLength(24)
    expect((await listWorkshops(owner, { ...only, publication: 'draft' }, NOW)).items).toHaveLength(0)
    expect((await listWorkshops(owner, { search: '100%_' }, NOW)).items).toHaveLength(24)
    expect((await listWorkshops(owner, { search: '1%0' }, NOW)).items).toHaveLength(0)
    await expect(listWorkshops(owner, { cursor: 'elsewhere' })).rejects.toMatchObject({ code: 'invalid' })
  })
})
