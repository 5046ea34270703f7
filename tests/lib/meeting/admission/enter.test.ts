import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RegistrationState, WorkshopAccess } from '#lib/core/shared/event/live-event.ts'
import { type EnterInput, enterMeeting } from '#lib/meeting/admission/enter.ts'
import { decideEntry } from '#lib/meeting/admission/rules.ts'
import { finishEvent, startEvent } from '#lib/meeting/control.ts'
import { getRoom } from '#lib/meeting/meeting.ts'
import { createJoinKey } from '#lib/registration/join-key.ts'
import { registration } from '#lib/registration/table.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { restrictParticipants } from '#lib/workshop/session/participant-restriction.ts'
import { workshop, workshopSession } from '#lib/workshop/table.ts'
import { createWorkshop } from '../../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const HOUR = 3_600_000
const code = (refused: string) => expect.objectContaining({ code: refused })

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

let event: { workshopId: string; sessionId: string }
beforeEach(async () => {
  event = await made('open')
})

async function made(access: WorkshopAccess, hours = 1, more: Partial<typeof workshop.$inferInsert> = {}) {
  const startAt = new Date(Date.now() + hours * HOUR).toISOString()
  // Without a limit of events.
  const plans = ours.as.OWNER.plans.map((ownedPlan) => ({ ...ownedPlan, plan: 'max' as const }))
  const { workshopId, sessionId } = await createWorkshop(
    { ...ours.as.OWNER, plans },
    {
      type: 'webinar',
      title: 'Ефір',
      timeZone: 'Europe/Kyiv',
      startAt,
      access,
    },
  )
  await inTenant(ours.as.OWNER, (tx) =>
    tx
      .update(workshop)
      .set({ publication: 'published', ...more })
      .where(eq(workshop.id, workshopId)),
  )
  return { workshopId, sessionId: sessionId ?? '' }
}

const enter = (input: Partial<EnterInput> = {}, tenantId = ours.tenant.id, now?: Date) =>
  enterMeeting(tenantId, { workshopId: event.workshopId, actor: null, locale: 'uk', ...input }, now)
const student = (): Actor => ours.as.STUDENT

async function register(state: RegistrationState = 'confirmed', more: Partial<typeof registration.$inferInsert> = {}) {
  const { key, ...link } = createJoinKey()
  const id = newId()
  await inTenant(ours.as.OWNER, (tx) =>
    tx.insert(registration).values({
      tenantId: ours.tenant.id,
      id,
      workshopId: event.workshopId,
      email: `${id}@guest.test`,
      name: 'Оля',
      locale: 'en',
      timeZone: 'Europe/Paris',
      state,
      ...link,
      ...more,
    }),
  )
  return { key, id }
}

const inside = async (input: Partial<EnterInput>) => {
  const view = await enter(input)
  if (view.kind !== 'room' && view.kind !== 'waiting') throw new Error(`found ${view.kind}`)
  return view
}

describe('join permission by role and registration', () => {
  const nobody = { staff: null, isStudent: false, registration: null, hasName: false }
  test.each([
    ['open', nobody, 'name'],
    ['open', { ...nobody, hasName: true }, 'in'],
    ['open', { ...nobody, isStudent: true }, 'in'],
    ['link', nobody, 'name'],
    ['link', { ...nobody, hasName: true }, 'in'],
    ['students', { ...nobody, hasName: true }, 'login'],
    ['students', { ...nobody, isStudent: true }, 'in'],
    ['students', { ...nobody, registration: 'confirmed' }, 'in'],
    ['registration', { ...nobody, hasName: true }, 'register'],
    ['registration', { ...nobody, isStudent: true }, 'register'],
    ['registration', { ...nobody, registration: 'confirmed' }, 'in'],
    ['registration', { ...nobody, registration: 'waitlisted' }, 'register'],
    ['registration', { ...nobody, registration: 'pending' }, 'register'],
    ['paid', { ...nobody, isStudent: true }, 'register'],
    ['paid', { ...nobody, registration: 'confirmed' }, 'in'],
    ['paid', { ...nobody, staff: 'moderator' }, 'in'],
    ['registration', { ...nobody, staff: 'viewer' }, 'in'],
  ] as const)('%s: %j finds %s', (access, visitor, entry) => {
    expect(decideEntry(access, visitor)).toBe(entry)
  })
})

describe('joining an event', () => {
  test('admits a registrant by the personal link alone, on any device, as the same participant', async () => {
    event = await made('registration')
    const { key } = await register()
    const [phone, desktop] = [await inside({ key: key }), await inside({ key: key })]
    expect(phone.kind).toBe('waiting')
    expect(phone.room.me).toMatchObject({ name: 'Оля', role: 'viewer', kind: 'registrant', locale: 'en' })
    expect(desktop.room.me.personId).toBe(phone.room.me.personId)
    expect(desktop.device).not.toBe(phone.device)
  })

  test('redirects to registration without a registration, before approval, or with a wrong key', async () => {
    event = await made('registration')
    const keys = [
      null,
      'nonsense',
      ...(await Promise.all([register('pending'), register('waitlisted')])).map(({ key }) => key),
    ]
    for (const key of keys) expect(await enter({ key: key })).toMatchObject({ kind: 'register' })
    expect(await enter({ key: (await register('canceled')).key })).toMatchObject({ kind: 'register' })
  })

  test('recognizes a registered student by the account and by the email address of the registration', async () => {
    event = await made('registration')
    expect(await enter({ actor: student() })).toMatchObject({ kind: 'register' })
    await register('confirmed', { email: student().email })
    expect((await inside({ actor: student() })).room.me.kind).toBe('student')
  })

  test('asks a guest for a name once and recognizes the device afterwards', async () => {
    const first = await enter()
    expect(first).toMatchObject({ kind: 'name', over: false })
    const { device, room } = await inside({ device: first.device, name: '  Марко ' })
    expect(device).toBe(first.device)
    const again = await inside({ device })
    expect([again.room.me.personId, again.room.me.name]).toEqual([room.me.personId, 'Марко'])
    expect(await enter({ device: 'x'.repeat(24) })).toMatchObject({ kind: 'name' })
    await expect(enter({ name: '   ' })).rejects.toEqual(code('invalid'))
  })

  test('creates one participant for a guest who submits twice', async () => {
    const { device } = await enter()
    const views = await Promise.all([1, 2, 3].map(() => inside({ device, name: 'Ірина' })))
    expect(new Set(views.map(({ room }) => room.me.personId)).size).toBe(1)
  })

  test('admits staff a day before the start with their role, and lets everybody else wait', async () => {
    event = await made('open', 23)
    const host = await inside({ actor: ours.as.OWNER })
    expect([host.kind, host.room.me.role, host.room.items === null]).toEqual(['room', 'host', false])
    const viewer = await inside({ actor: student() })
    expect([viewer.kind, viewer.room.me.role, viewer.room.items]).toEqual(['waiting', 'viewer', null])
    event = await made('open', 25)
    expect((await inside({ actor: ours.as.OWNER })).kind).toBe('waiting')
    expect((await inside({ actor: ours.as.CURATOR })).room.me).toMatchObject({ role: 'viewer', kind: 'staff' })
  })

  test('admits waiting viewers as soon as the host starts the event', async () => {
    const waiting = await inside({ name: 'Марко' })
    expect(waiting.kind).toBe('waiting')
    const { room } = await inside({ actor: ours.as.OWNER })
    await startEvent({ seatToken: room.seatToken })
    expect((await inside({ device: waiting.device })).kind).toBe('room')
    await finishEvent({ seatToken: room.seatToken })
    const over = await enter({ device: waiting.device })
    expect(over).toMatchObject({ kind: 'finished', seatToken: expect.any(String) })
    expect(await enter()).toMatchObject({ kind: 'name', over: true })
  })

  test('reports a canceled event and one that never started, and still admits those who may host it', async () => {
    event = await made('open', 1, { canceledAt: new Date() })
    expect(await enter({ name: 'Марко' })).toMatchObject({ kind: 'canceled' })
    event = await made('open', -3)
    expect(await enter({ name: 'Марко' })).toMatchObject({ kind: 'expired' })
    expect(await enter()).toMatchObject({ kind: 'expired' })
    expect((await inside({ actor: ours.as.OWNER })).kind).toBe('room')
  })

  test('admits many at once as one participant each, however often they submit, and no banned person', async () => {
    const banned = await inside({ name: 'Гучний' })
    await inTenant(ours.as.OWNER, (tx) =>
      restrictParticipants(tx, event.sessionId, [banned.room.me.personId], { bannedAt: new Date() }),
    )
    const devices = Array.from({ length: 30 }, (_, index) => `device-of-a-browser-${index}`.padEnd(24, '-'))
    const comers = [...devices, ...devices].map((device) => enter({ device, name: `Гість ${device}` }))
    const [refused, ...views] = await Promise.all([enter({ device: banned.device }), ...comers])
    expect(refused).toMatchObject({ kind: 'banned' })
    const people = views.map((view) => ('room' in view ? view.room.me : null))
    expect(new Set(people.map((me) => me?.personId)).size).toBe(30)
    expect(people.map((me) => me?.name)).toEqual([...devices, ...devices].map((device) => `Гість ${device}`))
  })

  test('keeps the signed-in person when a personal link of another person is opened', async () => {
    event = await made('registration')
    const { key } = await register()
    const host = await inside({ key: key, actor: ours.as.OWNER })
    const guest = await inside({ key: key })
    expect(guest.room.me).toMatchObject({ name: 'Оля', role: 'viewer', kind: 'registrant' })
    expect(guest.room.me.personId).not.toBe(host.room.me.personId)
    const other = await inside({ key: key, actor: student() })
    expect(other.room.me).toMatchObject({ kind: 'student' })
    expect(other.room.me.personId).not.toBe(guest.room.me.personId)
    for (let n = 0; n < 2; n += 1) {
      expect((await inside({ key: key, actor: ours.as.OWNER })).room.me).toEqual(host.room.me)
      expect((await inside({ key: key })).room.me).toEqual(guest.room.me)
    }
    expect((await getRoom({ seatToken: guest.room.seatToken })).me.role).toBe('viewer')
  })

  test("admits a person who joined signed in, opened the email's link elsewhere, and joins signed in again", async () => {
    const before = await inside({ actor: student() })
    const { key } = await register('confirmed', { memberId: student().membershipId, email: student().email })
    const phone = await inside({ key: key })
    for (let n = 0; n < 2; n += 1) {
      expect((await inside({ actor: student() })).room.me.personId).toBe(before.room.me.personId)
      expect((await inside({ key: key })).room.me.personId).toBe(phone.room.me.personId)
    }
  })

  test('refuses a banned person and the banned device under another name', async () => {
    const { room, device } = await inside({ name: 'Марко' })
    const { personId } = room.me
    await inTenant(ours.as.OWNER, (tx) =>
      restrictParticipants(tx, event.sessionId, [personId], { bannedAt: new Date() }),
    )
    expect(await enter({ device })).toMatchObject({ kind: 'banned' })
    expect(await enter({ device, actor: student() })).toMatchObject({ kind: 'banned' })
    expect((await inside({ name: 'Марко' })).kind).toBe('waiting')
  })

  test('readmits with the seat token of the same event, without key or cookie', async () => {
    event = await made('registration')
    const { room } = await inside({ key: (await register()).key })
    const back = await inside({ seatToken: room.seatToken })
    expect(back.room.me.personId).toBe(room.me.personId)
    const other = await made('registration')
    expect(await enter({ workshopId: other.workshopId, seatToken: room.seatToken })).toMatchObject({ kind: 'register' })
    expect(await enter({ seatToken: 'nonsense' })).toMatchObject({ kind: 'register' })
  })

  test("is not found for a draft, another tenant's event, a rehearsal, a masterclass and an invalid id", async () => {
    const draft = await made('open', 1, { publication: 'draft' })
    await expect(enter({ workshopId: draft.workshopId })).rejects.toEqual(code('not_found'))
    expect((await enter({ workshopId: draft.workshopId, actor: ours.as.OWNER })).kind).toBe('room')
    await expect(enter({}, theirs.tenant.id)).rejects.toEqual(code('not_found'))
    await expect(enter({ workshopId: 'nonsense' })).rejects.toEqual(code('not_found'))
    const masterclass = await made('open', 1, { type: 'masterclass' })
    await expect(enter({ workshopId: masterclass.workshopId, name: 'Оля' })).rejects.toEqual(code('not_found'))
    const sessionId = newId()
    const [live] = await inTenant(ours.as.OWNER, (tx) =>
      tx.select().from(workshopSession).where(eq(workshopSession.id, event.sessionId)),
    )
    if (!live) throw new Error('the session is there')
    await inTenant(ours.as.OWNER, (tx) =>
      tx.insert(workshopSession).values({ ...live, id: sessionId, kind: 'rehearsal' }),
    )
    await expect(enter({ sessionId, actor: student() })).rejects.toEqual(code('not_found'))
    expect((await inside({ sessionId, actor: ours.as.OWNER })).room).toMatchObject({ sessionId, kind: 'rehearsal' })
  })

  test('treats an actor of another tenant as a guest', async () => {
    expect(await enter({ actor: theirs.as.OWNER })).toMatchObject({ kind: 'name' })
    expect((await inside({ actor: theirs.as.OWNER, name: 'Гість' })).room.me.kind).toBe('guest')
    const rows = await inTenant(ours.as.OWNER, (tx) =>
      tx.select().from(workshopParticipant).where(eq(workshopParticipant.sessionId, event.sessionId)),
    )
    expect(rows.map(({ memberId, email }) => [memberId, email])).toEqual([[null, null]])
  })
})
