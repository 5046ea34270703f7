import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import type { CreateWorkshop } from '#lib/workshop/schema.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { initialRoomState } from '#lib/workshop/session/state-rules.ts'
import { requireEventCreation } from '#lib/workshop/settings/create.ts'
import { duplicateWorkshop } from '#lib/workshop/settings/duplicate.ts'
import { archiveWorkshops } from '#lib/workshop/settings/end.ts'
import { addItem, deleteItem, listItems, moveEventItem, restoreItem, saveItem } from '#lib/workshop/settings/item.ts'
import { getEventReadiness, publishWorkshop, unpublishWorkshop } from '#lib/workshop/settings/publish.ts'
import { saveSettings } from '#lib/workshop/settings/save.ts'
import { listEventStaff, setEventStaff } from '#lib/workshop/settings/staff.ts'
import { listMyWorkshops } from '#lib/workshop/student-list.ts'
import { listUpcomingWorkshops } from '#lib/workshop/upcoming.ts'
import { getWorkshop } from '#lib/workshop/workshop.ts'
import { requestApi } from '../../api/api-request.ts'
import { insertFiles } from '../../setup/files.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { cancelWorkshop, createWorkshop, listWorkshops, saveWorkshop } from '../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, signInTestUser, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  const nextPayment = new Date(Date.now() + 30 * 24 * HOUR)
  await setPlan({ tenantId: ours.tenant.id, group: 'workshop', plan: 'max', nextPayment })
  for (const role of ROLES) ours.as[role] = (await signInTestUser(ours.as[role].userId, hostOf(role))).actor
})

const hostOf = (role: Role): string => (role === 'STUDENT' ? 'go' : ours.tenant.subdomain)
const FACTS = { title: 'Голос без втоми', timeZone: 'Europe/Kyiv', startAt: inHours(72) }

function make(actor: Actor, more: Partial<CreateWorkshop> = {}) {
  return createWorkshop(actor, { type: 'webinar', ...FACTS, ...more })
}

async function published(actor: Actor, more: Partial<CreateWorkshop> = {}): Promise<string> {
  const { workshopId } = await make(actor, more)
  await publishWorkshop(actor, { workshopId })
  return workshopId
}

/** Inserts rows as the registration module does. */
async function register({ tenantId }: Actor, workshopId: string, state = 'confirmed'): Promise<void> {
  await inTenant({ tenantId }, async (tx) => {
    const id = newId()
    await tx.execute(sql`insert into registration
      (tenant_id, id, workshop_id, email, name, locale, time_zone, state, join_digest, join_sealed)
      values (${tenantId}, ${id}, ${workshopId}, ${`${id}@people.test`}, 'Гість', 'uk', 'Europe/Kyiv', ${state}, ${id}, '')`)
  })
}

async function jobsOf({ tenantId }: Actor, name: string, workshopId: string): Promise<Record<string, unknown>[]> {
  return inTenant({ tenantId }, async (tx) => {
    const { rows } = await tx.execute<{ data: Record<string, unknown> }>(
      sql`select data from pgboss.job where name = ${name} and data->>'workshopId' = ${workshopId} order by created_on`,
    )
    return rows.map(({ data }) => data)
  })
}

function sessionState({ tenantId }: Actor, workshopId: string) {
  return inTenant({ tenantId }, async (tx) => {
    const { rows } = await tx.execute<{ start: Date; minutes: number; state: { slide: object; chat: object } }>(
      sql`select start_at as start, planned_minutes as minutes, state from workshop_session where workshop_id = ${workshopId}`,
    )
    return rows[0]
  })
}

describe('the settings of an event', () => {
  test('are stored as given, with the creator as host', async () => {
    const { workshopId, sessionId } = await make(ours.as.EXPERT, { description: 'Опис', access: 'open' })
    const view = await getWorkshop(ours.as.OWNER, { workshopId })
    expect(view).toMatchObject({
      title: FACTS.title,
      description: 'Опис',
      access: 'open',
      publication: 'draft',
      status: 'upcoming',
      startAt: new Date(FACTS.startAt),
      sessionId,
      version: 1,
      scheduleVersion: 1,
      ownRoles: [],
      manages: true,
    })
    expect((await getWorkshop(ours.as.EXPERT, { workshopId })).ownRoles).toEqual(['host'])
  })

  test('are refused when invalid', async () => {
    // Rooms cannot play videos of other services.
    for (const [field, value] of [
      ['title', ' '],
      ['timeZone', 'Europe/Nowhere'],
      ['source', 'youtube'],
    ] as const) {
      const body = { ...FACTS, [field]: value }
      expect(await requestApi('POST', 'workshop/create', { actor: ours.as.EXPERT, body })).toMatchObject({
        status: 400,
        body: { fields: { [field]: [expect.any(String)] } },
      })
    }
    const [video = ''] = await insertFiles(ours.as.OWNER, [{ name: 'video.mp4', kind: 'video', mime: 'video/mp4' }])
    const [pdf = ''] = await insertFiles(ours.as.OWNER, [{ name: 'slides.pdf', kind: 'doc', mime: 'application/pdf' }])
    const [foreign = ''] = await insertFiles(theirs.as.OWNER, [
      { name: 'slides.pdf', kind: 'doc', mime: 'application/pdf' },
    ])
    await expect(make(ours.as.EXPERT, { slidesFileId: video })).rejects.toEqual(code('wrong_type'))
    await expect(make(ours.as.EXPERT, { coverFileId: pdf })).rejects.toEqual(code('wrong_type'))
    await expect(make(ours.as.EXPERT, { slidesFileId: foreign })).rejects.toEqual(code('not_found'))
    const { workshopId } = await make(ours.as.EXPERT, { slidesFileId: pdf })
    expect((await getWorkshop(ours.as.EXPERT, { workshopId })).slides).toMatchObject({ name: 'slides.pdf' })
    expect((await sessionState(ours.as.EXPERT, workshopId))?.state.slide).toEqual({ fileId: pdf, page: 1 })
  })

  test('show slides added later as if they had been there from the beginning', async () => {
    const [pdf = ''] = await insertFiles(ours.as.OWNER, [{ name: 'later.pdf', kind: 'doc', mime: 'application/pdf' }])
    const { workshopId } = await make(ours.as.EXPERT)
    const stateWith = async (slidesFileId: string | null, version: number) => {
      await saveWorkshop(ours.as.EXPERT, { ...FACTS, workshopId, version, slidesFileId })
      return (await sessionState(ours.as.EXPERT, workshopId))?.state
    }
    const chat = ChatSettings.parse((await sessionState(ours.as.EXPERT, workshopId))?.state.chat)
    expect(await stateWith(pdf, 1)).toEqual(initialRoomState(chat, pdf))
    expect(await stateWith(null, 2)).toEqual(initialRoomState(chat, null))
  })

  test('are not overwritten with an outdated version, and a repeated save is one', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    const save = (actor: Actor, title: string) => saveWorkshop(actor, { ...FACTS, workshopId, title, version: 1 })
    expect(await save(ours.as.EXPERT, 'Перша')).toEqual({ version: 2 })
    expect(await save(ours.as.EXPERT, 'Перша')).toEqual({ version: 2 })
    await expect(save(ours.as.OWNER, 'Друга')).rejects.toMatchObject({
      code: 'conflict',
      details: { data: { version: 2, title: 'Перша' } },
    })
  })

  test('keep changes of two people in different fields, and name fields both changed', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    const read = { ...FACTS, description: 'Про голос' }
    await saveWorkshop(ours.as.EXPERT, { ...read, workshopId, version: 1 })
    const save = (actor: Actor, change: object) =>
      saveWorkshop(actor, { ...read, ...change, workshopId, version: 2, base: read })
    await save(ours.as.EXPERT, { title: 'Нова назва', plannedMinutes: 90 })
    await save(ours.as.OWNER, { description: 'Новий опис' })
    const both = await getWorkshop(ours.as.EXPERT, { workshopId })
    expect(both).toMatchObject({ title: 'Нова назва', plannedMinutes: 90, description: 'Новий опис' })
    await expect(save(ours.as.OWNER, { title: 'Ще інша', access: 'open' })).rejects.toMatchObject({
      code: 'conflict',
      details: { fields: { title: ['changed_meanwhile'], form: ['workshop_version_conflict'] } },
    })
    expect(await getWorkshop(ours.as.EXPERT, { workshopId })).toMatchObject({ access: 'registration' })
  })

  test('do not conflict between two tabs: the chat in one and the image in another', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    const { settings, version } = await getWorkshop(ours.as.EXPERT, { workshopId })
    const { chat, replay } = settings
    const save = (actor: Actor, base: object, change: object) =>
      saveSettings(actor, { workshopId, version, base, settings: change })
    await saveWorkshop(ours.as.OWNER, { ...FACTS, workshopId, version, title: 'Інша назва' })
    await save(ours.as.EXPERT, { replay }, { replay: { ...replay, days: 7 } })
    await save(ours.as.OWNER, { chat }, { chat: { ...chat, slowModeSeconds: 30 } })
    await save(ours.as.EXPERT, { chat }, { chat: { ...chat, links: 'all' } })
    const after = await getWorkshop(ours.as.EXPERT, { workshopId })
    expect(after.title).toBe('Інша назва')
    expect(after.settings).toMatchObject({ replay: { days: 7 }, chat: { slowModeSeconds: 30, links: 'all' } })
    const again = save(ours.as.EXPERT, { chat }, { chat: { ...chat, slowModeSeconds: 5 } })
    await expect(again).rejects.toMatchObject({
      details: { fields: { 'chat.slowModeSeconds': ['changed_meanwhile'] } },
    })
  })

  test('are merged section by section', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    const chat = {
      mode: 'premod' as const,
      beforeStart: false,
      links: 'all' as const,
      slowModeSeconds: 10,
      badWords: [],
    }
    await saveSettings(ours.as.EXPERT, { workshopId, settings: { chat } })
    await saveSettings(ours.as.EXPERT, { workshopId, settings: { record: false } })
    const { settings, version } = await getWorkshop(ours.as.EXPERT, { workshopId })
    expect(settings).toMatchObject({ chat, record: false, replay: { enabled: true, days: 30 } })
    expect((await sessionState(ours.as.EXPERT, workshopId))?.state.chat).toEqual(chat)
    expect(version).toBe(3)
    const late = saveSettings(ours.as.OWNER, { workshopId, version: 2, settings: { record: true } })
    await expect(late).rejects.toEqual(code('conflict'))
  })
})

describe('upcoming events', () => {
  test('are those of the school for authors and their own for presenters, live events first', async () => {
    const later = await published(ours.as.EXPERT, { title: 'Згодом', startAt: inHours(2) })
    const sooner = await published(ours.as.EXPERT, { title: 'Раніше', startAt: inHours(1) })
    await make(ours.as.EXPERT, { title: 'Чернетка', startAt: inHours(0.5) })
    const { sessionId } = await getWorkshop(ours.as.EXPERT, { workshopId: later })
    const titles = async (actor: Actor) => (await listUpcomingWorkshops(actor)).map(({ title }) => title)
    expect((await titles(ours.as.DIRECTOR)).slice(0, 2)).toEqual(['Раніше', 'Згодом'])
    expect(await titles(ours.as.PRESENTER)).toEqual([])
    const host = { memberId: ours.as.EXPERT.membershipId, role: 'host' as const }
    const speaker = { memberId: ours.as.PRESENTER.membershipId, role: 'speaker' as const }
    for (const workshopId of [later, sooner]) {
      await setEventStaff(ours.as.EXPERT, { workshopId, staff: [host, speaker] })
    }
    await inTenant(ours.as.EXPERT, (tx) =>
      tx.execute(sql`update workshop_session set started_at = now() where id = ${sessionId}`),
    )
    expect(await titles(ours.as.PRESENTER)).toEqual(['Згодом', 'Раніше'])
    await expect(listUpcomingWorkshops(ours.as.CURATOR)).rejects.toEqual(code('forbidden'))
  })
})

describe('a new time of a published event', () => {
  const move = (workshopId: string, startAt: string, notify?: boolean) =>
    saveWorkshop(ours.as.EXPERT, { ...FACTS, workshopId, startAt, ...(notify === undefined ? {} : { notify }) })

  test('asks whether to notify registrants, and how many', async () => {
    const workshopId = await published(ours.as.EXPERT)
    for (const state of ['confirmed', 'confirmed', 'waitlisted', 'canceled'])
      await register(ours.as.EXPERT, workshopId, state)
    const later = inHours(96)
    await expect(move(workshopId, later)).rejects.toMatchObject({
      code: 'unprocessable',
      details: { data: { people: 2, was: { timeZone: 'Europe/Kyiv' } }, fields: { notify: ['workshop_ask_notify'] } },
    })
    await move(workshopId, later, true)
    const { scheduleVersion, startAt } = await getWorkshop(ours.as.EXPERT, { workshopId })
    expect([scheduleVersion, startAt?.toISOString()]).toEqual([2, later])
    expect((await sessionState(ours.as.EXPERT, workshopId))?.start).toBeDefined()
    expect(await jobsOf(ours.as.EXPERT, 'registration.rescheduled', workshopId)).toEqual([
      {
        tenantId: ours.tenant.id,
        workshopId,
        notify: true,
        was: { startAt: FACTS.startAt, timeZone: 'Europe/Kyiv' },
      },
    ])
  })

  test('asks nothing when only texts changed or nobody registered', async () => {
    const workshopId = await published(ours.as.EXPERT)
    await move(workshopId, inHours(50))
    await register(ours.as.EXPERT, workshopId)
    const { startAt } = await getWorkshop(ours.as.EXPERT, { workshopId })
    await saveWorkshop(ours.as.EXPERT, { ...FACTS, workshopId, startAt: startAt?.toISOString(), title: 'Інша' })
    expect((await getWorkshop(ours.as.EXPERT, { workshopId })).scheduleVersion).toBe(2)
  })

  test('asks when only the time zone changed', async () => {
    const workshopId = await published(ours.as.EXPERT)
    await register(ours.as.EXPERT, workshopId)
    const save = saveWorkshop(ours.as.EXPERT, { ...FACTS, workshopId, timeZone: 'America/New_York' })
    await expect(save).rejects.toEqual(code('unprocessable'))
  })

  test('is refused in the past, and with an end before the start', async () => {
    const workshopId = await published(ours.as.EXPERT)
    await expect(move(workshopId, inHours(-1), true)).rejects.toMatchObject({
      details: { fields: { startAt: ['workshop_start_past'] } },
    })
    await startEvent(ours.as.EXPERT, workshopId)
    await expect(move(workshopId, inHours(90), true)).rejects.toMatchObject({
      details: { fields: { startAt: ['workshop_started'] } },
    })
  })
})

async function startEvent(actor: Actor, workshopId: string): Promise<void> {
  const { sessionId } = await getWorkshop(actor, { workshopId })
  await inTenant(actor, (tx) =>
    appendEvents(tx, { tenantId: actor.tenantId, id: sessionId ?? '' }, [{ type: 'webinar.start', payload: {} }]),
  )
}

describe('publication', () => {
  test('needs a start in the future and a host, and lists what is missing', async () => {
    const { workshopId } = await make(ours.as.EXPERT, { startAt: null })
    await setEventStaff(ours.as.EXPERT, { workshopId, staff: [] })
    const { checks } = await getEventReadiness(ours.as.EXPERT, { workshopId })
    const blocking = checks.filter(({ isBlocking: blocks, passed }) => blocks && !passed).map(({ key }) => key)
    expect(blocking).toEqual(['start', 'host'])
    await expect(publishWorkshop(ours.as.EXPERT, { workshopId })).rejects.toMatchObject({
      details: { fields: { form: ['workshop_needs_start', 'workshop_needs_host'] } },
    })
  })

  test('refuses a change to a price that nobody can pay', async () => {
    const workshopId = await published(ours.as.EXPERT)
    await expect(
      saveWorkshop(ours.as.EXPERT, { ...FACTS, workshopId, notify: false, access: 'paid' }),
    ).rejects.toMatchObject({ code: 'unprocessable', details: { fields: { access: ['workshop_needs_access'] } } })
    const draft = await make(ours.as.EXPERT, { access: 'paid' })
    const readiness = await getEventReadiness(ours.as.EXPERT, draft)
    expect(readiness.checks).toContainEqual({ key: 'access', passed: false, isBlocking: true })
  })

  test('is announced once to the registration module, however often requested', async () => {
    const workshopId = await published(ours.as.EXPERT)
    await publishWorkshop(ours.as.EXPERT, { workshopId })
    expect(await jobsOf(ours.as.EXPERT, 'registration.published', workshopId)).toHaveLength(1)
  })

  test('keeps a host', async () => {
    const workshopId = await published(ours.as.EXPERT)
    const without = setEventStaff(ours.as.EXPERT, { workshopId, staff: [] })
    await expect(without).rejects.toMatchObject({ details: { fields: { form: ['workshop_needs_host'] } } })
  })

  test('can be withdrawn while nobody has registered', async () => {
    const workshopId = await published(ours.as.EXPERT)
    expect(await unpublishWorkshop(ours.as.EXPERT, { workshopId })).toEqual({ publication: 'draft' })
    await publishWorkshop(ours.as.EXPERT, { workshopId })
    await register(ours.as.EXPERT, workshopId, 'waitlisted')
    await expect(unpublishWorkshop(ours.as.EXPERT, { workshopId })).rejects.toEqual(code('unprocessable'))
  })

  test('ends with a cancellation, which is announced once', async () => {
    const workshopId = await published(ours.as.EXPERT)
    await register(ours.as.EXPERT, workshopId)
    await cancelWorkshop(ours.as.EXPERT, { workshopId })
    await cancelWorkshop(ours.as.EXPERT, { workshopId })
    const jobs = await jobsOf(ours.as.EXPERT, 'registration.canceled', workshopId)
    expect(jobs).toEqual([{ tenantId: ours.tenant.id, workshopId, notify: true }])
    await expect(publishWorkshop(ours.as.EXPERT, { workshopId })).resolves.toEqual({ publication: 'published' })
  })
})

describe('prepared items', () => {
  test('keep their order and are refused when invalid', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    const add = async (kind: 'button' | 'poll' | 'handout', content: Record<string, unknown>) =>
      addItem(ours.as.EXPERT, { workshopId, kind, content })
    const button = await add('button', { label: 'Перша', url: 'https://kafedra.test/one' })
    const two = await add('button', { label: 'Друга', url: 'https://kafedra.test/two' })
    await moveEventItem(ours.as.EXPERT, { ...two, by: -1 })
    await moveEventItem(ours.as.EXPERT, { ...two, by: -1 })
    const labels = async () =>
      (await listItems(ours.as.OWNER, { workshopId })).button.map(({ content }) => content.label)
    expect(await labels()).toEqual(['Друга', 'Перша'])
    await saveItem(ours.as.EXPERT, {
      ...button,
      kind: 'button',
      content: { label: 'Третя', url: 'https://kafedra.test/three' },
    })
    await deleteItem(ours.as.EXPERT, two)
    expect(await labels()).toEqual(['Третя'])
    await restoreItem(ours.as.EXPERT, two)
    expect(await labels()).toEqual(['Друга', 'Третя'])
    for (const [kind, content] of [
      ['button', { label: 'Ні', url: 'javascript:alert(1)' }],
      ['button', { label: '', url: 'https://kafedra.test' }],
      ['poll', { question: 'Один варіант?', options: ['так'] }],
      ['poll', { question: 'Квіз?', kind: 'quiz', options: ['так', 'ні'] }],
      ['handout', { title: 'Порожньо' }],
    ] as const)
      expect(
        await requestApi('POST', 'workshop/addItem', { actor: ours.as.EXPERT, body: { workshopId, kind, content } }),
      ).toMatchObject({ status: 400, body: { code: 'invalid' } })
    const [foreign = ''] = await insertFiles(theirs.as.OWNER, [{ name: 'a.pdf', kind: 'doc', mime: 'application/pdf' }])
    await expect(add('handout', { title: 'Чужий', fileId: foreign })).rejects.toEqual(code('not_found'))
  })

  test('are copied with the event, and the date is not', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    await addItem(ours.as.EXPERT, {
      workshopId,
      kind: 'poll',
      content: { question: 'Чути?', options: ['так', 'ні'] },
    })
    await saveSettings(ours.as.EXPERT, { workshopId, settings: { record: false } })
    await setEventStaff(ours.as.EXPERT, {
      workshopId,
      staff: [
        { memberId: ours.as.EXPERT.membershipId, role: 'host' },
        { memberId: ours.as.PRESENTER.membershipId, role: 'speaker' },
      ],
    })
    const copy = await duplicateWorkshop(ours.as.OWNER, { workshopId })
    const view = await getWorkshop(ours.as.PRESENTER, copy)
    expect(view).toMatchObject({
      publication: 'draft',
      startAt: null,
      ownRoles: ['speaker'],
      settings: { record: false },
    })
    expect(view.title).toBe(`${FACTS.title} (копія)`)
    expect((await listItems(ours.as.OWNER, copy)).poll).toHaveLength(1)
    expect(view.sessionId).toBeTruthy()
  })
})

describe('permissions', () => {
  const actions = {
    list: (actor: Actor) => listWorkshops(actor, {}),
    get: (actor: Actor, workshopId: string) => getWorkshop(actor, { workshopId }),
    create: (actor: Actor) => make(actor, { title: 'Проба' }),
    save: (actor: Actor, workshopId: string) => saveWorkshop(actor, { ...FACTS, workshopId }),
    settings: (actor: Actor, workshopId: string) => saveSettings(actor, { workshopId, settings: {} }),
    staff: (actor: Actor, workshopId: string) => listEventStaff(actor, { workshopId }),
    item: (actor: Actor, workshopId: string) =>
      addItem(actor, { workshopId, kind: 'handout', content: { title: 'Так', url: 'https://kafedra.test' } }),
    duplicate: (actor: Actor, workshopId: string) => duplicateWorkshop(actor, { workshopId }),
    archiveMany: (actor: Actor, id: string) => archiveWorkshops(actor, { workshopIds: [id] }),
    mine: (actor: Actor) => listMyWorkshops(actor),
  }
  const ALL = ['list', 'get', 'create', 'save', 'settings', 'staff', 'item', 'duplicate', 'archiveMany']
  const READ = ['list', 'get', 'staff']
  const CHANGE = ['save', 'settings', 'item']

  const allowedActions = async (actor: Actor, workshopId: string) => {
    const allowed: string[] = []
    for (const [name, action] of Object.entries(actions)) {
      try {
        await action(actor, workshopId)
        allowed.push(name)
      } catch (error) {
        expect(error, name).toEqual(code('forbidden'))
      }
    }
    return allowed
  }

  test.each([
    ['OWNER', ALL],
    ['DIRECTOR', ALL],
    ['EXPERT', ALL],
    ['PRESENTER', READ],
    ['MODERATOR', READ],
    ['CURATOR', []],
    ['MENTOR', []],
    ['MEMBER', []],
    ['STUDENT', ['mine']],
  ] as const)('a %s at an event of others', async (role, may) => {
    const { workshopId } = await make(ours.as.EXPERT)
    expect((await allowedActions(ours.as[role], workshopId)).sort()).toEqual([...may].sort())
  })

  test.each([
    ['PRESENTER', 'host', [...READ, ...CHANGE]],
    ['PRESENTER', 'speaker', [...READ, ...CHANGE]],
    ['PRESENTER', 'moderator', READ],
    ['MODERATOR', 'moderator', READ],
  ] as const)('a %s who is its %s', async (role, at, may) => {
    const { workshopId } = await make(ours.as.EXPERT)
    const staff = [{ memberId: ours.as[role].membershipId, role: at }]
    await setEventStaff(ours.as.EXPERT, { workshopId, staff })
    expect((await allowedActions(ours.as[role], workshopId)).sort()).toEqual([...may].sort())
  })

  test('another tenant does not find the event', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    for (const action of [
      actions.get,
      actions.save,
      actions.settings,
      actions.staff,
      actions.item,
      actions.duplicate,
    ]) {
      await expect(action(theirs.as.OWNER, workshopId)).rejects.toEqual(code('not_found'))
    }
    const theirsToo = archiveWorkshops(theirs.as.OWNER, { workshopIds: [workshopId] })
    await expect(theirsToo).rejects.toEqual(code('not_found'))
    expect((await getWorkshop(ours.as.OWNER, { workshopId })).archivedAt).toBeNull()
  })

  test('a person without the required role is refused as staff', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    for (const [actor, role] of [
      [ours.as.MODERATOR, 'speaker'],
      [ours.as.CURATOR, 'moderator'],
      [ours.as.STUDENT, 'speaker'],
      [theirs.as.PRESENTER, 'speaker'],
    ] as const) {
      const staff = [{ memberId: actor.membershipId, role }]
      await expect(setEventStaff(ours.as.OWNER, { workshopId, staff })).rejects.toEqual(code('unprocessable'))
    }
  })

  test('an expired plan leaves everything readable and nothing writable', async () => {
    const { workshopId } = await make(ours.as.EXPERT)
    const lapsed = { ...ours.as.OWNER, plans: [] }
    await getWorkshop(lapsed, { workshopId })
    await expect(actions.save(lapsed, workshopId)).rejects.toEqual(code('plan_inactive'))
    await expect(actions.create(lapsed)).rejects.toEqual(code('plan_inactive'))
    // The page of a new event says it before the form.
    await expect((async () => requireEventCreation(lapsed))()).rejects.toEqual(code('plan_inactive'))
    await requireEventCreation(ours.as.OWNER)
  })
})
