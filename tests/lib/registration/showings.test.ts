import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeFromVideo, savePlan } from '#lib/autowebinar/autowebinar.ts'
import { Schedule } from '#lib/autowebinar/schema.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { enterMeeting } from '#lib/meeting/meeting.ts'
import { cancelOwn, cancelRegistrations, readInvitation, register } from '#lib/registration/registration.ts'
import { remind } from '#lib/registration/remind.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { registrants, visitorOf } from '../../setup/events.ts'
import { lettersTo } from '../../setup/letters.ts'
import { neighbour, type School, school } from '../../setup/people.ts'

const HOUR = 3_600_000
const code = (refused: string) => expect.objectContaining({ code: refused })
/** Noon and six o'clock of the day after tomorrow, by UTC. */
const DAY = new Date(Date.now() + 48 * HOUR).toISOString().slice(0, 10)
const [NOON, SIX] = [new Date(`${DAY}T12:00:00Z`), new Date(`${DAY}T18:00:00Z`)]
const NOW = new Date(NOON.getTime() - 30 * HOUR)

let home: School
let theirs: School
beforeAll(async () => {
  home = await school()
  theirs = await neighbour()
})

type Plan = Omit<Parameters<typeof savePlan>[1], 'workshopId' | 'version' | 'schedule'>

/** A published auto-webinar of an hour. */
async function auto(schedule: object, plan: Plan = {}): Promise<string> {
  const owner = home.as.OWNER
  const { workshopId } = await makeFromVideo(owner, { title: 'Запис', timeZone: 'UTC', plannedMinutes: 60 })
  await savePlan(owner, { ...plan, workshopId, version: 1, schedule: Schedule.parse({ zone: 'UTC', ...schedule }) })
  const set = { publication: 'published' as const, access: 'registration' as const }
  await inTenant(owner, (tx) => tx.update(workshop).set(set).where(eq(workshop.id, workshopId)))
  return workshopId
}

const twice = { dates: [NOON, SIX].map((at) => ({ day: DAY, time: at.toISOString().slice(11, 16) })) }
const guest = () => ({ email: `${randomUUID()}@visitor.test`, name: 'Олена' })
const offered = async (workshopId: string, now: Date, timeZone = 'UTC') =>
  (await readInvitation(home.tenant.id, null, { workshopId, timeZone }, now)).showings.map(({ startAt }) =>
    startAt.toISOString(),
  )

/** Somebody who registers for a showing; gives their registration. */
async function comes(workshopId: string, showing: Date | 'now', now = NOW, timeZone = 'UTC') {
  const who = guest()
  const asked = { workshopId, ...who, timeZone, showing: showing === 'now' ? 'now' : showing.toISOString() }
  const { state } = await register(visitorOf(home), asked, now)
  const row = (await registrants(home.as.OWNER, workshopId)).get(who.email)
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

describe('registering for a showing', () => {
  test('is for the one that was chosen, and its link opens that one', async () => {
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
      const view = await enterMeeting(home.tenant.id, { workshopId, key, actor: null, locale: 'uk' })
      expect(view).toMatchObject({ kind: 'waiting', room: { sessionId, kind: 'auto', me: { name: 'Олена' } } })
    }
  })

  test('asks which one, and takes none that is not offered', async () => {
    const workshopId = await auto(twice)
    await expect(register(visitorOf(home), { workshopId, ...guest() }, NOW)).rejects.toMatchObject({
      details: { fields: { showing: ['showing_choose'] } },
    })
    for (const showing of [new Date(NOON.getTime() + 60_000), 'now'] as const)
      await expect(comes(workshopId, showing)).rejects.toEqual(code('not_found'))
    await expect(comes(workshopId, NOON, new Date(NOON.getTime() + 1))).rejects.toEqual(code('not_found'))
    await inTenant(home.as.OWNER, (tx) =>
      tx.update(workshop).set({ publication: 'draft' }).where(eq(workshop.id, workshopId)),
    )
    await expect(comes(workshopId, NOON)).rejects.toEqual(code('not_found'))
  })

  test('counts the seats of each showing by itself', async () => {
    const workshopId = await auto(twice, { capacity: 1 })
    const states = []
    for (const showing of [NOON, NOON, SIX]) states.push((await comes(workshopId, showing)).state)
    expect(states).toEqual(['confirmed', 'waitlisted', 'confirmed'])
  })

  test('is given up and taken back at once by both sides, and none waits for the other', async () => {
    const workshopId = await auto(twice)
    const people = []
    for (let n = 0; n < 12; n += 1) people.push(await comes(workshopId, n % 2 ? NOON : SIX))
    const all = { workshopId, registrationIds: people.map(({ id }) => id) }
    const outcomes = await Promise.allSettled([
      ...people.map(({ key }) => cancelOwn(home.tenant.id, { workshopId, key }, NOW)),
      ...[1, 2, 3].map(() => cancelRegistrations(home.as.OWNER, all, NOW)),
    ])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    const states = [...(await registrants(home.as.OWNER, workshopId)).values()].map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['canceled']))
  })

  test('of the school next door does not exist, nor does the link there', async () => {
    const workshopId = await auto(twice)
    const asked = { workshopId, ...guest(), showing: NOON.toISOString() }
    await expect(register(visitorOf(theirs), asked, NOW)).rejects.toEqual(code('not_found'))
    const { key } = await comes(workshopId, NOON)
    const entering = enterMeeting(theirs.tenant.id, { workshopId, key, actor: null, locale: 'uk' })
    await expect(entering).rejects.toEqual(code('not_found'))
  })

  test('mails the letters of that showing alone, by the clock of who reads', async () => {
    const workshopId = await auto(twice)
    const noon = await comes(workshopId, NOON, NOW, 'Europe/Kyiv')
    const six = await comes(workshopId, SIX, NOW, 'Europe/Kyiv')
    const hour = (sessionId: string | null, at: Date) =>
      remind({ tenantId: home.tenant.id, workshopId, sessionId, kind: 'hour' }, at)
    expect(await hour(six.sessionId, new Date(NOON.getTime() - HOUR))).toBe(0)
    expect(await hour(noon.sessionId, new Date(NOON.getTime() - HOUR))).toBe(1)
    expect(await hour(noon.sessionId, new Date(NOON.getTime() - HOUR))).toBe(0)
    const [reminder, welcome] = await lettersTo(noon.email, home.tenant.id)
    const clock = NOON.toLocaleTimeString('uk', { timeZone: 'Europe/Kyiv', hour: '2-digit', minute: '2-digit' })
    for (const letter of [reminder, welcome]) {
      expect(letter?.text).toContain(clock)
      expect(letter?.link).toContain(`/meeting/join/${workshopId}?key=${noon.key}`)
    }
    expect(await lettersTo(six.email, home.tenant.id)).toHaveLength(1)
  })
})

describe('showings that no date names', () => {
  test('just in time come at the next marks of the clock, but not in quiet hours', async () => {
    const workshopId = await auto({ justInTime: 30 }, { quietHours: { from: '22:00', to: '08:00' } })
    const at = (time: string) => new Date(`${DAY}T${time}:00.000Z`)
    const marks = (...times: string[]) => times.map((time) => at(time).toISOString())
    expect(await offered(workshopId, at('12:10'))).toEqual(marks('12:30', '13:00'))
    // Of the marks before eight nobody is told.
    expect(await offered(workshopId, at('05:10'))).toEqual(marks('08:00', '08:30'))
    const { sessionId } = await comes(workshopId, at('12:30'), at('12:10'))
    expect(await startOf(sessionId)).toEqual(at('12:30'))
    for (const [showing, now] of [
      [at('05:30'), at('05:10')],
      [at('12:20'), at('12:10')],
      [at('14:00'), at('12:10')],
    ] as const)
      await expect(comes(workshopId, showing, now)).rejects.toEqual(code('not_found'))
  })

  test('on demand begin at once, each with its own, and not in quiet hours', async () => {
    const workshopId = await auto({ onDemand: true }, { quietHours: { from: '22:00', to: '08:00' } })
    const at = (time: string) => new Date(`${DAY}T${time}:00Z`)
    const [first, second] = [await comes(workshopId, 'now', at('12:00')), await comes(workshopId, 'now', at('12:07'))]
    expect([await startOf(first.sessionId), await startOf(second.sessionId)]).toEqual([at('12:00'), at('12:07')])
    await expect(comes(workshopId, 'now', at('23:00'))).rejects.toEqual(code('not_found'))
  })

  test('are quiet by the viewer’s own clock where the schedule goes by it', async () => {
    const workshopId = await auto({ zone: 'viewer', onDemand: true }, { quietHours: { from: '22:00', to: '08:00' } })
    const noon = new Date(`${DAY}T12:00:00Z`)
    expect((await comes(workshopId, 'now', noon, 'Europe/Kyiv')).state).toBe('confirmed')
    await expect(comes(workshopId, 'now', noon, 'Pacific/Auckland')).rejects.toEqual(code('not_found'))
  })
})
