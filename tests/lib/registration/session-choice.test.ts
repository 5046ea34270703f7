import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { savePlan } from '#lib/autowebinar/plan.ts'
import { Schedule } from '#lib/autowebinar/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { type EnterInput, enterMeeting } from '#lib/meeting/admission/enter.ts'
import { sendReminders } from '#lib/registration/email/reminders.ts'
import { readInvitation } from '#lib/registration/invitation.ts'
import { cancelOwnRegistration } from '#lib/registration/own-registration.ts'
import { cancelRegistrations } from '#lib/registration/registrants/decisions.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { getWorkshop } from '#lib/workshop/workshop.ts'
import { addStoredVideo } from '../../setup/media/stored-video.ts'
import { createWebinar, listRegistrants, updateEvent, visitorAt } from '../../setup/meeting/events.ts'
import { makeFromVideo } from '../../setup/parsed/autowebinar.ts'
import { registerForEvent } from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const HOUR = 3_600_000
const code = (refused: string) => expect.objectContaining({ code: refused })
/** Noon and six o'clock of the day after tomorrow, in UTC. */
const DAY = new Date(Date.now() + 48 * HOUR).toISOString().slice(0, 10)
const [NOON, SIX] = [new Date(`${DAY}T12:00:00Z`), new Date(`${DAY}T18:00:00Z`)]
const NOW = new Date(NOON.getTime() - 30 * HOUR)

let home: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
  theirs = await createOtherTenant()
})

type Plan = Omit<Parameters<typeof savePlan>[1], 'workshopId' | 'version' | 'schedule'>

/** A published automated webinar of an hour. */
async function auto(schedule: object, plan: Plan = {}): Promise<string> {
  const owner = home.as.OWNER
  const { workshopId } = await makeFromVideo(owner, {
    fileId: await addStoredVideo(owner, { duration: null }),
    title: 'Запис',
    timeZone: 'UTC',
    plannedMinutes: 60,
  })
  await savePlan(owner, { ...plan, workshopId, version: 1, schedule: Schedule.parse({ zone: 'UTC', ...schedule }) })
  const set = { publication: 'published' as const, access: 'registration' as const }
  await inTenant(owner, (tx) => tx.update(workshop).set(set).where(eq(workshop.id, workshopId)))
  return workshopId
}

const twice = { dates: [NOON, SIX].map((at) => ({ day: DAY, time: at.toISOString().slice(11, 16) })) }
const guest = () => ({ email: `${randomUUID()}@visitor.test`, name: 'Олена' })
const offered = async (workshopId: string, now: Date, timeZone = 'UTC') =>
  (await readInvitation(home.tenant.id, null, { workshopId, timeZone }, now)).sessions.map(({ startAt }) =>
    startAt.toISOString(),
  )

/** A person who registers for a sessionStart; returns the registration. */
async function comes(workshopId: string, sessionStart: Date | 'now', now = NOW, timeZone = 'UTC') {
  const who = guest()
  const input = {
    workshopId,
    ...who,
    timeZone,
    sessionStart: sessionStart === 'now' ? 'now' : sessionStart.toISOString(),
  }
  const { state } = await registerForEvent(visitorAt(home), input, now)
  const row = (await listRegistrants(home.as.OWNER, workshopId)).get(who.email)
  if (!row) throw new Error('nobody was registered')
  return { ...row, state }
}

async function startOf(sessionId: string | null): Promise<Date | null> {
  const [found] = await inTenant(home.as.OWNER, (tx) =>
    tx
      .select({ startAt: workshopSession.startAt })
      .from(workshopSession)
      .where(eq(workshopSession.id, sessionId ?? randomUUID())),
  )
  return found?.startAt ?? null
}

describe('registering for an automated webinar session', () => {
  test('is for the chosen session, and its link opens that session', async () => {
    const workshopId = await auto(twice)
    expect(await offered(workshopId, NOW)).toEqual([NOON.toISOString(), SIX.toISOString()])
    const [noon, six, other] = [
      await comes(workshopId, NOON),
      await comes(workshopId, SIX),
      await comes(workshopId, SIX),
    ]
    expect([await startOf(noon.sessionId), await startOf(six.sessionId)]).toEqual([NOON, SIX])
    expect(other.sessionId).toBe(six.sessionId)
    for (const { key, sessionId } of [noon, six]) {
      const view = await enterMeeting(home.tenant.id, { workshopId, key: key, actor: null, locale: 'uk' })
      expect(view).toMatchObject({ kind: 'waiting', room: { sessionId, kind: 'auto', me: { name: 'Олена' } } })
    }
  })

  test('requires a choice, and refuses a session that is not offered', async () => {
    const workshopId = await auto(twice)
    await expect(registerForEvent(visitorAt(home), { workshopId, ...guest() }, NOW)).rejects.toMatchObject({
      details: { fields: { sessionStart: ['session_choose'] } },
    })
    for (const sessionStart of [new Date(NOON.getTime() + 60_000), 'now'] as const)
      await expect(comes(workshopId, sessionStart)).rejects.toEqual(code('not_found'))
    await expect(comes(workshopId, NOON, new Date(NOON.getTime() + 1))).rejects.toEqual(code('not_found'))
    await inTenant(home.as.OWNER, (tx) =>
      tx.update(workshop).set({ publication: 'draft' }).where(eq(workshop.id, workshopId)),
    )
    await expect(comes(workshopId, NOON)).rejects.toEqual(code('not_found'))
  })

  test('counts the seats of each session separately', async () => {
    const workshopId = await auto(twice, { capacity: 1 })
    const states = []
    for (const sessionStart of [NOON, NOON, SIX]) states.push((await comes(workshopId, sessionStart)).state)
    expect(states).toEqual(['confirmed', 'waitlisted', 'confirmed'])
  })

  test('is canceled and approved concurrently without a deadlock', async () => {
    const workshopId = await auto(twice)
    const people = []
    for (let n = 0; n < 12; n += 1) people.push(await comes(workshopId, n % 2 ? NOON : SIX))
    const all = { workshopId, registrationIds: people.map(({ id }) => id) }
    const outcomes = await Promise.allSettled([
      ...people.map(({ key }) => cancelOwnRegistration(home.tenant.id, { workshopId, key }, NOW)),
      ...[1, 2, 3].map(() => cancelRegistrations(home.as.OWNER, all, NOW)),
    ])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    const states = [...(await listRegistrants(home.as.OWNER, workshopId)).values()].map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['canceled']))
  })

  test('does not exist in another tenant, nor does its link', async () => {
    const workshopId = await auto(twice)
    const input = { workshopId, ...guest(), sessionStart: NOON.toISOString() }
    await expect(registerForEvent(visitorAt(theirs), input, NOW)).rejects.toEqual(code('not_found'))
    const { key } = await comes(workshopId, NOON)
    const entering = enterMeeting(theirs.tenant.id, { workshopId, key: key, actor: null, locale: 'uk' })
    await expect(entering).rejects.toEqual(code('not_found'))
  })

  test('sends the emails of that session only, in the recipient’s zone', async () => {
    const workshopId = await auto(twice)
    const noon = await comes(workshopId, NOON, NOW, 'Europe/Kyiv')
    const six = await comes(workshopId, SIX, NOW, 'Europe/Kyiv')
    const hour = (sessionId: string | null, at: Date) =>
      sendReminders({ tenantId: home.tenant.id, workshopId, sessionId, kind: 'hour' }, at)
    expect(await hour(six.sessionId, new Date(NOON.getTime() - HOUR))).toBe(0)
    expect(await hour(noon.sessionId, new Date(NOON.getTime() - HOUR))).toBe(1)
    expect(await hour(noon.sessionId, new Date(NOON.getTime() - HOUR))).toBe(0)
    const [reminder, welcome] = await listEmailsTo(noon.email, home.tenant.id)
    const clock = NOON.toLocaleTimeString('uk', { timeZone: 'Europe/Kyiv', hour: '2-digit', minute: '2-digit' })
    for (const letter of [reminder, welcome]) {
      expect(letter?.text).toContain(clock)
      expect(letter?.link).toContain(`/meeting/join/${workshopId}?key=${noon.key}`)
    }
    expect(await listEmailsTo(six.email, home.tenant.id)).toHaveLength(1)
  })
})

describe('a page after the form', () => {
  const pass = async (workshopId: string, more: Partial<Parameters<typeof registerForEvent>[1]> = {}, now = NOW) => {
    const who = { ...guest(), ...more }
    const done = await registerForEvent(visitorAt(home), { workshopId, ...who, timeZone: 'UTC' }, now)
    return { ...done, ...who }
  }
  const enter = (workshopId: string, given: string | null, now: Date) =>
    enterMeeting(home.tenant.id, { workshopId, pass: given, actor: null, locale: 'uk' }, now)

  test('admits an on-demand viewer at once, and their personal link leads to the same session', async () => {
    const workshopId = await auto({ onDemand: true })
    const later = new Date(Date.now() - 60_000)
    const done = await pass(workshopId, { sessionStart: 'now' }, new Date(later.getTime() - 2 * HOUR))
    const view = await enter(workshopId, done.pass, later)
    expect(view).toMatchObject({ kind: 'room', room: { me: { name: 'Олена' } } })
    const row = (await listRegistrants(home.as.OWNER, workshopId)).get(done.email)
    const again = await enterMeeting(
      home.tenant.id,
      { workshopId, key: row?.key ?? '', actor: null, locale: 'uk' },
      later,
    )
    expect(again).toMatchObject({ room: { sessionId: row?.sessionId } })
  })

  test('does not use up the session when an email client follows the link', async () => {
    const workshopId = await auto({ onDemand: true })
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const { email } = await pass(workshopId, { sessionStart: 'now' }, minutesAgo(1200))
    const rowOf = async () => (await listRegistrants(home.as.OWNER, workshopId)).get(email)
    const key = (await rowOf())?.key ?? ''
    const open = (now: Date) => enterMeeting(home.tenant.id, { workshopId, key: key, actor: null, locale: 'uk' }, now)
    await open(minutesAgo(1100))
    expect(await open(minutesAgo(30))).toMatchObject({ kind: 'room' })
    const start = await startOf((await rowOf())?.sessionId ?? null)
    expect(start?.getTime()).toBeGreaterThan(minutesAgo(31).getTime())
    const session = { tenantId: home.tenant.id, id: (await rowOf())?.sessionId ?? '' }
    await inTenant(session, (tx) => appendEvents(tx, session, [{ type: 'user.connect', payload: {} }], minutesAgo(29)))
    // A participant was present: a returning one is at the current position of the video.
    expect(await open(minutesAgo(5))).toMatchObject({ room: { auto: { startAt: start?.getTime() } } })
  })

  test('admits to an event that its host started before the announced time', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: new Date(SIX.getTime() + HOUR).toISOString() })
    await updateEvent(home.as.OWNER, place, {}, { startedAt: SIX })
    const early = await pass(place.workshopId, { name: 'Олена' }, SIX)
    expect((await enter(place.workshopId, early.pass, SIX)).kind).not.toBe('register')
  })

  test('admits nobody before the event is live, and does not disclose a registered address', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: SIX.toISOString() })
    const { workshopId } = place
    expect((await pass(workshopId)).pass).toBeNull()
    const known = await pass(workshopId, { name: 'Ольга Коваль' })
    await updateEvent(home.as.OWNER, place, {}, { startedAt: SIX })
    const now = new Date(SIX.getTime() + HOUR)
    const stranger = await pass(workshopId, { email: known.email, name: 'Хтось' }, now)
    const fresh = await pass(workshopId, { name: 'Нова людина з довгим іменем' }, now)
    expect(Object.keys(stranger)).toEqual(Object.keys(fresh))
    expect(stranger.pass).toHaveLength(fresh.pass?.length ?? 0)
    for (const [registrationId, kind] of [
      [stranger, 'guest'],
      [fresh, 'registrant'],
    ] as const) {
      const view = await enter(workshopId, registrationId.pass, now)
      if (view.kind !== 'room' && view.kind !== 'waiting') throw new Error(view.kind)
      const { name, personId } = view.room.me
      expect(name).toBe(registrationId.name)
      const [sits] = await inTenant(home.as.OWNER, (tx) =>
        tx.select().from(workshopParticipant).where(eq(workshopParticipant.id, personId)),
      )
      expect(sits).toMatchObject({ kind, email: kind === 'guest' ? null : registrationId.email })
    }
    expect(await enter(workshopId, fresh.pass, new Date(now.getTime() + 13 * HOUR))).toMatchObject({ kind: 'register' })
    expect(await enter(workshopId, `x${fresh.pass}`, now)).toMatchObject({ kind: 'register' })
    const other = await createWebinar(home.as.OWNER, { startAt: SIX.toISOString() })
    expect(await enter(other.workshopId, fresh.pass, now)).toMatchObject({ kind: 'register' })
  })
})

describe('the length of an automated webinar', () => {
  test('is the length of its video, wherever it is shown', async () => {
    const owner = home.as.OWNER
    const workshopId = await auto(twice)
    const minutes = async () => {
      const { plannedMinutes: statedMinutes } = await readInvitation(home.tenant.id, null, { workshopId }, NOW)
      return [statedMinutes, (await getWorkshop(owner, { workshopId })).plannedMinutes]
    }
    expect(await minutes()).toEqual([60, 60])
    const fileId = await addStoredVideo(owner, { duration: 1500 })
    await savePlan(owner, { workshopId, version: 2, videoFileId: fileId })
    expect(await minutes()).toEqual([25, 25])
    const { sessionId } = await comes(workshopId, NOON)
    const [session] = await inTenant(owner, (tx) =>
      tx
        .select()
        .from(workshopSession)
        .where(eq(workshopSession.id, sessionId ?? '')),
    )
    expect(session?.plannedMinutes).toBe(25)
    await savePlan(owner, { workshopId, version: 3, videoOffsetMs: 600_000 })
    expect(await minutes()).toEqual([15, 15])
  })
})

describe('sessions without a date', () => {
  test('just in time start at the next interval, but not in quiet hours', async () => {
    const workshopId = await auto({ justInTime: 30 }, { quietHours: { from: '22:00', to: '08:00' } })
    const at = (time: string) => new Date(`${DAY}T${time}:00.000Z`)
    const marks = (...times: string[]) => times.map((time) => at(time).toISOString())
    expect(await offered(workshopId, at('12:10'))).toEqual(marks('12:30', '13:00'))
    // Starts before eight are not offered.
    expect(await offered(workshopId, at('05:10'))).toEqual(marks('08:00', '08:30'))
    const { sessionId } = await comes(workshopId, at('12:30'), at('12:10'))
    expect(await startOf(sessionId)).toEqual(at('12:30'))
    for (const [sessionStart, now] of [
      [at('05:30'), at('05:10')],
      [at('12:20'), at('12:10')],
      [at('14:00'), at('12:10')],
    ] as const)
      await expect(comes(workshopId, sessionStart, now)).rejects.toEqual(code('not_found'))
  })

  test('on demand start when their viewer enters, one each, and not in quiet hours', async () => {
    const workshopId = await auto({ onDemand: true }, { quietHours: { from: '22:00', to: '08:00' } })
    const at = (time: string) => new Date(`${DAY}T${time}:00.500Z`)
    await expect(comes(workshopId, 'now', at('23:00'))).rejects.toEqual(code('not_found'))
    const [first, second] = [await comes(workshopId, 'now', at('12:00')), await comes(workshopId, 'now', at('12:00'))]
    expect(first.sessionId).not.toBe(second.sessionId)
    expect([await startOf(first.sessionId), await startOf(second.sessionId)]).toEqual([null, null])
    const minutesAgo = (minutes: number) => new Date(Math.floor(Date.now() / 60_000 - minutes) * 60_000 + 500)
    const enter = ({ key }: typeof first, now: Date, actor: EnterInput['actor'] = null) =>
      enterMeeting(home.tenant.id, { workshopId, key: key, actor, locale: 'uk' }, now)
    // Team members view the session by the link of a participant without starting it.
    await enter(first, minutesAgo(20), home.as.OWNER)
    expect(await startOf(first.sessionId)).toBeNull()
    const begun = minutesAgo(10)
    for (const registered of [first, second])
      expect(await enter(registered, begun)).toMatchObject({ kind: 'room', room: { sessionId: registered.sessionId } })
    const starts = [await startOf(first.sessionId), await startOf(second.sessionId)]
    // Two at the same instant are two sessions.
    expect(starts).toEqual([begun, new Date(begun.getTime() + 1)])
    expect(await enter(first, minutesAgo(9))).toMatchObject({ room: { auto: { startAt: begun.getTime() } } })
  })

  test('use quiet hours of the viewer’s zone where the schedule does', async () => {
    const workshopId = await auto({ zone: 'viewer', onDemand: true }, { quietHours: { from: '22:00', to: '08:00' } })
    const noon = new Date(`${DAY}T12:00:00Z`)
    expect((await comes(workshopId, 'now', noon, 'Europe/Kyiv')).state).toBe('confirmed')
    await expect(comes(workshopId, 'now', noon, 'Pacific/Auckland')).rejects.toEqual(code('not_found'))
  })
})
