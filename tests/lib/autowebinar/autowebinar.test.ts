import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { runAdvance } from '#lib/autowebinar/advance.ts'
import { chooseSession, ensureSession, readAutowebinarChecks } from '#lib/autowebinar/auto-session.ts'
import { buildAutoView, controlClock, findScriptItem } from '#lib/autowebinar/auto-view.ts'
import { copyAutowebinar } from '#lib/autowebinar/autowebinar.ts'
import { getPlan, readPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { answerLater, listAutoSessions, promoteAnswer } from '#lib/autowebinar/question.ts'
import { Schedule } from '#lib/autowebinar/schema.ts'
import { deleteEntries, listEntries, restoreEntries, shiftEntries } from '#lib/autowebinar/script.ts'
import { getScriptFile } from '#lib/autowebinar/script-csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { mail } from '#lib/core/mail/table.ts'
import { createJoinKey, findByJoinKey } from '#lib/registration/join-key.ts'
import { registration } from '#lib/registration/table.ts'
import { appendEvents, readEvents } from '#lib/workshop/session/event-log.ts'
import type { NewEvent, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { duplicateWorkshop } from '#lib/workshop/settings/duplicate.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { getWorkshop } from '#lib/workshop/workshop.ts'
import { insertFiles } from '../../setup/files.ts'
import { addStoredVideo } from '../../setup/media/stored-video.ts'
import { createChatRoom } from '../../setup/meeting/chat-room.ts'
import {
  importScript,
  listViewerQuestions,
  makeFromVideo,
  makeFromWebinar,
  saveEntry,
} from '../../setup/parsed/autowebinar.ts'
import { cancelWorkshop, createWorkshop } from '../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const START = new Date('2026-12-01T17:00:00Z')
const later = (ms: number) => new Date(START.getTime() + ms)
const MINUTE = 60_000

let ours: TestTenant
let theirs: TestTenant
beforeEach(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

const viewer = (name: string) => ({ name, role: 'viewer' as const })
const staff = { name: 'Марта Вчителька', role: 'host' as const }
const content = { label: 'Записатися', url: 'https://kafedra.test/offer' }

/** A webinar with a separate log; `ms` counts from its start. */
async function webinar(events: (NewEvent & { ms: number })[], lasts = 60 * MINUTE) {
  const { workshopId, sessionId } = await createWorkshop(ours.as.OWNER, {
    type: 'webinar',
    title: 'Ефір',
    timeZone: 'Europe/Kyiv',
    startAt: START.toISOString(),
  })
  const ref = { tenantId: ours.tenant.id, id: sessionId ?? '' }
  const whole = [
    ...events.filter(({ ms }) => ms < 0),
    { type: 'webinar.start' as const, payload: {}, ms: 0 },
    ...events.filter(({ ms }) => ms >= 0),
    { type: 'webinar.finish' as const, payload: { reason: 'host' as const }, ms: lasts },
  ].sort((a, b) => a.ms - b.ms)
  await inTenant(ref, (tx) =>
    appendEvents(
      tx,
      ref,
      whole.map(({ ms, ...event }) => ({ ...event, at: later(ms) }) as NewEvent & { at: Date }),
    ),
  )
  return { workshopId, sessionId: ref.id }
}

const message = (ms: number, name: string, text: string, actorId: string | null = null, id = newId()) => ({
  ms,
  type: 'message' as const,
  actorId,
  payload: { messageId: id, author: name === staff.name ? staff : viewer(name), text },
})

async function video(schedule: object = {}, lengthMinutes = 60) {
  const { workshopId } = await makeFromVideo(ours.as.OWNER, {
    title: 'Запис',
    timeZone: 'Europe/Kyiv',
    plannedMinutes: lengthMinutes,
  })
  const [videoFileId] = await insertFiles(ours.as.OWNER, [{ name: 'Запис.mp4', kind: 'video', mime: 'video/mp4' }])
  await savePlan(ours.as.OWNER, {
    workshopId,
    version: 1,
    videoFileId,
    schedule: Schedule.parse({ zone: 'Europe/Kyiv', ...schedule }),
  })
  return workshopId
}

async function entry(
  workshopId: string,
  offsetMs: number,
  event: { type: string; payload: object },
  entryId = newId(),
) {
  await saveEntry(ours.as.OWNER, { workshopId, entryId, version: 0, offsetMs, content: event as never })
  return entryId
}

async function openSession(workshopId: string, startAt = START) {
  const { sessionId } = await inTenant(scope(), (tx) => ensureSession(tx, workshopId, startAt))
  return { tenantId: ours.tenant.id, id: sessionId, workshopId }
}

const scope = () => ({ tenantId: ours.tenant.id })

async function play(ref: { id: string; workshopId: string }, now: Date, personId: string | null = null) {
  return inTenant(scope(), async (tx) => {
    const [session] = await tx.select().from(workshopSession).where(eq(workshopSession.id, ref.id))
    if (!session) throw new Error('no session')
    return buildAutoView(tx, session, { personId }, now)
  })
}

async function person(ref: { id: string; workshopId: string }, name = 'Ігор', email: string | null = 'ihor@mail.test') {
  const id = newId()
  await inTenant(scope(), (tx) =>
    tx.insert(workshopParticipant).values({
      tenantId: ours.tenant.id,
      id,
      sessionId: ref.id,
      workshopId: ref.workshopId,
      kind: 'registrant',
      name,
      email,
    }),
  )
  return id
}

const logOf = (id: string) => inTenant(scope(), (tx) => readEvents(tx, id, { reader: 'staff' }))
const listEmailsTo = (to: string) => inTenant(scope(), (tx) => tx.select().from(mail).where(eq(mail.to, to)))

describe('an automated webinar from a finished webinar', () => {
  test('has each event at its offset, under pseudonyms, and no events of single viewers', async () => {
    const [olha, petro, gone] = [newId(), newId(), newId()]
    const question = newId()
    const events: (NewEvent & { ms: number })[] = [
      { ms: -60_000, type: 'presentation.change', payload: { mode: 'presentation' } },
      message(-30_000, 'Ольга Коваль', 'Я вже тут', olha),
      { ms: 1000, type: 'user.connect', actorId: olha, payload: {} },
      message(61_250, 'Ольга Коваль', 'Добрий вечір', olha),
      { ...message(70_000, 'Ольга Коваль', 'Де запис?', olha, question), type: 'question' },
      message(71_000, staff.name, 'Ольга Коваль, напишіть на olha@mail.test або +380 67 123 45 67'),
      message(72_000, 'Петро Спам', 'купіть у мене', petro, gone),
      { ms: 75_000, type: 'answer', payload: { messageId: question, text: 'У кабінеті', author: staff } },
      { ms: 80_000, type: 'button.show', payload: { buttonId: newId(), content } },
      { ms: 80_500, type: 'user.click', actorId: petro, payload: { buttonId: newId() } },
      { ms: 81_000, type: 'messageDeleted', payload: { messageId: gone } },
      { ms: 82_000, type: 'window.change', actorId: olha, payload: { visible: false } },
      {
        ms: 90_000,
        type: 'poll.open',
        payload: { pollId: question, content: { question: 'Так?', options: ['а', 'б'] } },
      },
      { ms: 91_000, type: 'poll.vote', actorId: olha, payload: { pollId: question, choices: [0] } },
      { ms: 95_000, type: 'poll.close', payload: { pollId: question, tally: [1, 0], voters: 1 } },
      {
        ms: 96_000,
        type: 'message',
        audience: 'person',
        actorId: petro,
        payload: { messageId: newId(), author: viewer('Петро Спам'), text: 'лише ведучим' },
      },
    ]
    const { workshopId: from } = await webinar(events)
    const { workshopId } = await makeFromWebinar(ours.as.OWNER, { workshopId: from })
    const entries = await listEntries(ours.as.OWNER, { workshopId })
    expect(entries.map(({ offsetMs, type }) => [offsetMs, type])).toEqual([
      [0, 'presentation.change'],
      [61_250, 'message'],
      [70_000, 'question'],
      [71_000, 'message'],
      [75_000, 'answer'],
      [80_000, 'button.show'],
      [90_000, 'poll.open'],
      [95_000, 'poll.close'],
    ])
    const whole = JSON.stringify(entries)
    for (const leak of [
      'Ольга',
      'Коваль',
      'Петро',
      'olha@',
      '123 45',
      olha,
      petro,
      'купіть',
      'лише ведучим',
      'вже тут',
    ]) {
      expect(whole).not.toContain(leak)
    }
    expect(whole).toContain(staff.name)
    const names = entries.flatMap(({ payload }) =>
      'author' in payload && payload.author?.role === 'viewer' ? [payload.author.name] : [],
    )
    expect(new Set(names).size).toBe(1)
    expect(names[0]).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\.$/u)
    expect(whole).not.toContain('"tally":[1')
    const plan = await getPlan(ours.as.OWNER, { workshopId })
    expect(plan).toMatchObject({
      lengthMs: 60 * MINUTE,
      isVideoPending: true,
      disclosure: { label: true, counters: false },
    })
    // Without a video its sessions would show an empty stage.
    const checks = await inTenant(ours.as.OWNER, (tx) => readAutowebinarChecks(tx, workshopId))
    expect(checks).toContainEqual(
      expect.objectContaining({ key: 'autowebinarVideo', passed: false, refusal: 'auto_video_pending' }),
    )
  })

  test('shows the same room state as the webinar at any second, within a quarter of a second', async () => {
    const buttons = Array.from({ length: 6 }, () => newId())
    const events = buttons.flatMap((buttonId, index): (NewEvent & { ms: number })[] => [
      { ms: 5000 + index * 7321, type: 'button.show', payload: { buttonId, content } },
      { ms: 9000 + index * 8111, type: 'button.hide', payload: { buttonId } },
    ])
    const { workshopId: from, sessionId } = await webinar(events)
    const { workshopId } = await makeFromWebinar(ours.as.OWNER, { sessionId })
    const log = await logOf(sessionId)
    const entries = await listEntries(ours.as.OWNER, { workshopId })
    const shown = (all: readonly { type: string; payload: object; offsetMs: number }[]) =>
      all.flatMap(({ type, payload, offsetMs }) => ('buttonId' in payload ? [[type, payload.buttonId, offsetMs]] : []))
    const [original, copied] = [shown(log), shown(entries)]
    expect(copied.map(([type, id]) => [type, id])).toEqual(original.map(([type, id]) => [type, id]))
    for (const [index, [, , at]] of original.entries()) {
      expect(Math.abs(Number(copied[index]?.[2]) - Number(at))).toBeLessThanOrEqual(250)
    }
    expect(from).not.toBe(workshopId)
  })

  test('requires a finished webinar of the tenant', async () => {
    const { workshopId } = await createWorkshop(ours.as.OWNER, {
      type: 'webinar',
      title: 'Ще не був',
      timeZone: 'Europe/Kyiv',
    })
    await expect(makeFromWebinar(ours.as.OWNER, { workshopId })).rejects.toEqual(code('unprocessable'))
    const running = await createChatRoom(ours)
    await expect(makeFromWebinar(ours.as.OWNER, { sessionId: running.id })).rejects.toEqual(code('unprocessable'))
    const over = await webinar([])
    await expect(makeFromWebinar(theirs.as.OWNER, over)).rejects.toEqual(code('not_found'))
    await expect(makeFromWebinar(ours.as.CURATOR, over)).rejects.toEqual(code('forbidden'))
    await expect(makeFromWebinar({ ...ours.as.OWNER, plans: [] }, over)).rejects.toEqual(code('plan_inactive'))
  })
})

test.each([
  [45 * 60 + 10, 46],
  [null, 90],
])(
  'an automated webinar from a video of %s s lasts %d min, whatever was typed if the video is measured',
  async (duration, minutes) => {
    const fileId = await addStoredVideo(ours.as.OWNER, { duration })
    const about = { title: 'Запис', timeZone: 'Europe/Kyiv', plannedMinutes: 90 }
    const { workshopId } = await makeFromVideo(ours.as.OWNER, { ...about, fileId })
    expect((await getWorkshop(ours.as.OWNER, { workshopId })).plannedMinutes).toBe(minutes)
  },
)

describe('the script', () => {
  test('is saved entry by entry: idempotent, an older version is refused', async () => {
    const workshopId = await video()
    const owner = ours.as.OWNER
    const entryId = newId()
    const words = { type: 'message', payload: { messageId: newId(), author: viewer('Олена К.'), text: 'Так' } } as const
    const save = (version: number, offsetMs: number) =>
      saveEntry(owner, { workshopId, entryId, version, offsetMs, content: words })
    await Promise.all([save(0, 1000), save(0, 1000)])
    expect(await save(1, 2000)).toEqual({ version: 2 })
    expect(await save(1, 2000)).toEqual({ version: 2 })
    await expect(save(1, 3000)).rejects.toEqual(code('conflict'))
    expect(await listEntries(owner, { workshopId })).toHaveLength(1)
    await expect(
      saveEntry(theirs.as.OWNER, { workshopId, entryId, version: 2, offsetMs: 0, content: words }),
    ).rejects.toEqual(code('not_found'))
  })

  test('shifts, deletes and restores selected entries, except those changed by others', async () => {
    const workshopId = await video()
    const owner = ours.as.OWNER
    const ids = [await entry(workshopId, 1000, slide(1)), await entry(workshopId, 5000, slide(2))]
    const entries = ids.map((entryId) => ({ entryId, version: 1 }))
    const moved = await shiftEntries(owner, { workshopId, entries, byMs: -2000 })
    expect(moved.changed.map(({ offsetMs }) => offsetMs).sort()).toEqual([0, 3000])
    const stale = await deleteEntries(owner, { workshopId, entries })
    expect(stale).toEqual({ changed: [], conflicts: ids })
    const now = ids.map((entryId) => ({ entryId, version: 2 }))
    await deleteEntries(owner, { workshopId, entries: now })
    expect(await listEntries(owner, { workshopId })).toEqual([])
    await restoreEntries(owner, { workshopId, entries: ids.map((entryId) => ({ entryId, version: 3 })) })
    expect(await listEntries(owner, { workshopId })).toHaveLength(2)
  })

  test('survives a CSV export and import', async () => {
    const workshopId = await video()
    const owner = ours.as.OWNER
    const [messageId, buttonId, pollId, handoutId] = [newId(), newId(), newId(), newId()]
    await entry(workshopId, 1500, {
      type: 'message',
      payload: { messageId, author: viewer('Олена К.'), text: 'Кома, «лапки» "і"; крапка\nдругий рядок' },
    })
    await entry(workshopId, 2000, {
      type: 'question',
      payload: { messageId: newId(), author: viewer('=1+1'), text: '=cmd|calc', replyTo: messageId },
    })
    await entry(workshopId, 3000, { type: 'answer', payload: { messageId, text: "'+так", author: staff } })
    await entry(workshopId, 4000, {
      type: 'button.show',
      payload: { buttonId, content: { ...content, countdownSeconds: 60 } },
    })
    await entry(workshopId, 5000, { type: 'button.hide', payload: { buttonId } })
    await entry(workshopId, 6000, slide(7))
    await entry(workshopId, 7000, { type: 'presentation.change', payload: { mode: 'preview' } })
    await entry(workshopId, 8000, {
      type: 'poll.open',
      payload: { pollId, content: { question: 'Так?', options: ['а | б', 'в'] } },
    })
    await entry(workshopId, 9000, { type: 'poll.close', payload: { pollId } })
    await entry(workshopId, 3_723_250, {
      type: 'handout.show',
      payload: { handoutId, content: { title: 'Пам’ятка', url: content.url } },
    })
    const { csv } = await getScriptFile(owner, { workshopId })
    const other = await video()
    const outcome = await importScript(owner, { workshopId: other, importId: newId(), csv })
    expect(outcome).toEqual({ added: 10, errors: [] })
    const plain = async (id: string) =>
      (await listEntries(owner, { workshopId: id })).map(({ offsetMs, track, type, payload }) => ({
        offsetMs,
        track,
        type,
        payload,
      }))
    expect(await plain(other)).toEqual(await plain(workshopId))
  })

  test('is imported from CSV row by row: invalid rows are returned, a second click adds nothing', async () => {
    const workshopId = await video()
    const csv = [
      'offset;type;author;role;text',
      '0:00:05;message;Олена К.;viewer;Добрий вечір',
      '61,5;question;Ігор Л.;;Чи буде запис?',
      'колись;message;Олена К.;viewer;Коли?',
      '0:02:00;танець;Олена К.;viewer;Так',
      '0:03:00;message;;viewer;Хто я?',
      '0:04:00;button.show;;;Купити | https://kafedra.test/buy',
      '0:05:00;button.show;;;Зламана | javascript:alert(1)',
      '0:06:00;button.hide;;;Купити',
      '0:07:00;poll.open;;;Чути мене? | так | ні',
      '0:08:00;poll.close;;;Інше',
    ].join('\n')
    const importId = newId()
    const take = () => importScript(ours.as.OWNER, { workshopId, importId, csv })
    expect((await importScript(ours.as.OWNER, { workshopId, importId, csv, dryRun: true })).added).toBe(5)
    expect(await listEntries(ours.as.OWNER, { workshopId })).toEqual([])
    const outcome = await take()
    expect(outcome.errors.map(({ row, error }) => [row, error])).toEqual([
      [4, 'offset'],
      [5, 'type'],
      [6, 'author'],
      [8, 'text'],
      [11, 'unknown_item'],
    ])
    expect(outcome.errors[0]?.text).toBe('колись;message;Олена К.;viewer;Коли?')
    await take()
    const entries = await listEntries(ours.as.OWNER, { workshopId })
    expect(entries.map(({ offsetMs }) => offsetMs)).toEqual([5000, 61_500, 240_000, 360_000, 420_000])
  })

  test('is copied with its event, and the copies refer to their own items', async () => {
    const workshopId = await video({ dates: [{ day: '2026-12-01', time: '19:00' }], onDemand: true })
    await entry(workshopId, 1000, { type: 'button.show', payload: { buttonId: newId(), content } })
    const { workshopId: copy } = await duplicateWorkshop(ours.as.OWNER, { workshopId }, copyAutowebinar)
    const [from, to] = [
      await listEntries(ours.as.OWNER, { workshopId }),
      await listEntries(ours.as.OWNER, { workshopId: copy }),
    ]
    expect(to.map(({ offsetMs, type }) => [offsetMs, type])).toEqual(from.map(({ offsetMs, type }) => [offsetMs, type]))
    expect(to[0]?.id).not.toBe(from[0]?.id)
    expect((await getPlan(ours.as.OWNER, { workshopId: copy })).schedule).toMatchObject({ onDemand: true, dates: [] })
  })
})

const slide = (page: number) => ({ type: 'slide.change', payload: { fileId: null, page } })

describe('an automated webinar session', () => {
  test('is created once per start, however many requests are simultaneous', async () => {
    const workshopId = await video()
    const found = await Promise.all(Array.from({ length: 5 }, () => openSession(workshopId)))
    expect(new Set(found.map(({ id }) => id)).size).toBe(1)
  })

  test('is created only where the schedule offers it', async () => {
    const workshopId = await video({ dates: [{ day: '2026-12-01', time: '19:00' }] })
    const choose = (startAt: Date | 'now') =>
      inTenant(scope(), (tx) =>
        chooseSession(tx, workshopId, { startAt, viewerZone: 'Asia/Kathmandu' }, later(-MINUTE)),
      )
    expect((await choose(START)).startAt).toEqual(START)
    await expect(choose(later(MINUTE))).rejects.toEqual(code('not_found'))
    await expect(choose('now')).rejects.toEqual(code('not_found'))
    await cancelWorkshop(ours.as.OWNER, { workshopId })
    await expect(choose(START)).rejects.toEqual(code('not_found'))
  })

  test('keeps its time and links when the schedule is edited', async () => {
    const workshopId = await video({ dates: [{ day: '2026-12-01', time: '19:00' }] })
    const ref = await openSession(workshopId)
    const { key, ...sealed } = createJoinKey()
    await inTenant(scope(), (tx) =>
      tx.insert(registration).values({
        tenantId: ours.tenant.id,
        workshopId,
        sessionId: ref.id,
        email: 'a@mail.test',
        name: 'А',
        locale: 'uk',
        timeZone: 'Europe/Kyiv',
        ...sealed,
      }),
    )
    const { version } = await getPlan(ours.as.OWNER, { workshopId })
    const schedule = Schedule.parse({ zone: 'viewer', weekly: { days: [3], times: ['08:00'] } })
    await savePlan(ours.as.OWNER, { workshopId, version, schedule })
    const found = await inTenant(scope(), (tx) => findByJoinKey(tx, workshopId, key))
    expect(found?.sessionId).toBe(ref.id)
    expect(await play(ref, later(5000))).toMatchObject({ positionMs: 5000, phase: 'playing', startAt: START.getTime() })
  })

  test('admits late viewers at the current second, with the room state of then', async () => {
    const workshopId = await video()
    const buttonId = newId()
    await entry(workshopId, 10_000, {
      type: 'message',
      payload: { messageId: newId(), author: viewer('Олена К.'), text: 'Раніше' },
    })
    await entry(workshopId, 20_000, { type: 'button.show', payload: { buttonId, content } })
    await entry(workshopId, 60_000, { type: 'button.hide', payload: { buttonId } })
    await entry(workshopId, 90_000, {
      type: 'message',
      payload: { messageId: newId(), author: viewer('Ігор Л.'), text: 'Потім' },
    })
    const ref = await openSession(workshopId)
    const before = await play(ref, later(-MINUTE))
    expect(before).toMatchObject({ phase: 'before', pastMessages: [], state: { buttons: [] } })
    const view = await play(ref, later(42_000))
    expect(view).toMatchObject({ positionMs: 42_000, phase: 'playing' })
    expect(view?.state).toMatchObject({ phase: 'live', buttons: [{ buttonId, shownAt: START.getTime() + 20_000 }] })
    expect(view?.pastMessages.map(({ offsetMs }) => offsetMs)).toEqual([10_000])
    expect(view?.nextEvents.map(({ offsetMs, seq }) => [offsetMs, seq])).toEqual([
      [60_000, 0],
      [90_000, 0],
    ])
    expect(view?.nextUntilMs).toBe(42_000 + 10 * MINUTE)
    expect(await play(ref, later(61_000))).toMatchObject({ state: { buttons: [] } })
  })

  test('omits muted tracks, and finds items of its script', async () => {
    const workshopId = await video()
    const buttonId = newId()
    await entry(workshopId, 1000, { type: 'button.show', payload: { buttonId, content } })
    const ref = await openSession(workshopId)
    expect(await inTenant(scope(), (tx) => findScriptItem(tx, ref.id, buttonId))).toMatchObject({
      kind: 'button',
      content,
    })
    expect(await inTenant(scope(), (tx) => findScriptItem(tx, ref.id, newId()))).toBeNull()
    const { version } = await getPlan(ours.as.OWNER, { workshopId })
    await savePlan(ours.as.OWNER, { workshopId, version, mutedTracks: ['buttons'] })
    expect(await play(ref, later(5000))).toMatchObject({ state: { buttons: [] } })
  })

  test('finishes with the video, and its log has each shown entry once', async () => {
    const workshopId = await video({}, 5)
    await entry(workshopId, 20_000, { type: 'button.show', payload: { buttonId: newId(), content } })
    const ref = await openSession(workshopId)
    const run = (now: Date) => runAdvance({ tenantId: ours.tenant.id, sessionId: ref.id }, now)
    await run(later(-1000))
    expect(await logOf(ref.id)).toEqual([])
    await Promise.all([run(later(30_000)), run(later(30_000)), play(ref, later(30_000))])
    await run(later(40_000))
    expect((await logOf(ref.id)).map(kind)).toEqual(['webinar.start', 'button.show staff'])
    await Promise.all([play(ref, later(5 * MINUTE)), run(later(5 * MINUTE))])
    const log = await logOf(ref.id)
    expect(log.map(kind)).toEqual(['webinar.start', 'button.show staff', 'webinar.finish'])
    expect(log.map(({ offsetMs }) => offsetMs)).toEqual([0, 20_000, 5 * MINUTE])
    expect(await play(ref, later(6 * MINUTE))).toMatchObject({ phase: 'over', state: { phase: 'finished' } })
  })

  test('has a viewer’s own clock only where that is allowed', async () => {
    const workshopId = await video({}, 5)
    const ref = await openSession(workshopId)
    const personId = await person(ref)
    const turn = (action: 'restart' | 'pause' | 'resume', ms: number) =>
      inTenant(scope(), (tx) => controlClock(tx, ref, personId, action, later(ms)))
    await expect(turn('restart', 1000)).rejects.toEqual(code('forbidden'))
    const { version } = await getPlan(ours.as.OWNER, { workshopId })
    await savePlan(ours.as.OWNER, { workshopId, version, mayPause: true, mayRestart: true })
    await turn('restart', 120_000)
    expect(await play(ref, later(130_000), personId)).toMatchObject({ positionMs: 10_000 })
    expect(await play(ref, later(130_000))).toMatchObject({ positionMs: 130_000 })
    await turn('pause', 140_000)
    await turn('pause', 150_000)
    expect(await play(ref, later(200_000), personId)).toMatchObject({ positionMs: 20_000, pausedAtMs: 20_000 })
    await turn('resume', 220_000)
    // The end of the session has passed; this participant still watches.
    expect(await play(ref, later(5 * MINUTE + 1000), personId)).toMatchObject({
      positionMs: 101_000,
      phase: 'playing',
      state: { phase: 'live' },
    })
  })
})

const kind = ({ type, audience }: RoomEvent) => (audience === 'all' ? type : `${type} ${audience}`)

describe('a question of a viewer', () => {
  async function registerForSession(email: string | null = 'ihor@mail.test') {
    const workshopId = await video()
    const ref = await openSession(workshopId)
    const personId = await person(ref, 'Ігор Мельник', email)
    const messageId = newId()
    const payload = {
      messageId,
      author: viewer('Ігор Мельник'),
      text: 'Чи буде знижка?',
      holdReason: 'session' as const,
    }
    await play(ref, later(1000))
    await inTenant(scope(), (tx) =>
      appendEvents(tx, ref, [
        { type: 'question', actorId: personId, personId, audience: 'person', payload, at: later(95_000) },
      ]),
    )
    return { workshopId, sessionId: ref.id, messageId }
  }

  test('waits for staff and is answered by email, once', async () => {
    const { workshopId, sessionId, messageId } = await registerForSession('one@mail.test')
    expect(await listViewerQuestions(ours.as.MODERATOR, { workshopId })).toMatchObject([
      { messageId, text: 'Чи буде знижка?', answer: null },
    ])
    expect(await listAutoSessions(ours.as.OWNER, { workshopId, when: 'running' }, later(99_000))).toMatchObject([
      { sessionId, questions: 1, unanswered: 1 },
    ])
    const answer = (text: string) => answerLater(ours.as.OWNER, { sessionId, messageId, text })
    await expect(answerLater(ours.as.MODERATOR, { sessionId, messageId, text: 'Так' })).rejects.toEqual(
      code('forbidden'),
    )
    await expect(answerLater(theirs.as.OWNER, { sessionId, messageId, text: 'Так' })).rejects.toEqual(code('not_found'))
    await Promise.all([answer('До п’ятниці'), answer('До п’ятниці')])
    await expect(answer('Ні')).rejects.toEqual(code('conflict'))
    const emails = await listEmailsTo('one@mail.test')
    expect(emails).toHaveLength(1)
    expect(emails[0]?.text).toContain('До п’ятниці')
    expect(emails[0]?.text).toContain('Чи буде знижка?')
    expect(await listViewerQuestions(ours.as.OWNER, { workshopId })).toEqual([])
    expect((await logOf(sessionId)).filter(({ type }) => type === 'answer')).toHaveLength(1)
  })

  test('without an email address is answered in the room only', async () => {
    const { sessionId, messageId } = await registerForSession(null)
    expect(await answerLater(ours.as.OWNER, { sessionId, messageId, text: 'Так' })).toEqual({ mailed: false })
  })

  test('is added to the script with its answer, under a pseudonym, once', async () => {
    const { workshopId, sessionId, messageId } = await registerForSession('two@mail.test')
    const promote = () => promoteAnswer(ours.as.OWNER, { sessionId, messageId })
    await expect(promote()).rejects.toEqual(code('unprocessable'))
    await answerLater(ours.as.OWNER, { sessionId, messageId, text: 'До п’ятниці' })
    await promote()
    await promote()
    const entries = await listEntries(ours.as.OWNER, { workshopId })
    expect(entries.map(({ offsetMs, type }) => [offsetMs, type])).toEqual([
      [95_000, 'question'],
      [115_000, 'answer'],
    ])
    expect(JSON.stringify(entries)).not.toContain('Мельник')
  })
})

describe('a plan', () => {
  test('refuses a conflicting change, and accepts the same change twice', async () => {
    const workshopId = await video()
    const { version } = await getPlan(ours.as.OWNER, { workshopId })
    const saved = await savePlan(ours.as.OWNER, { workshopId, version, capacity: 10 })
    expect(await savePlan(ours.as.OWNER, { workshopId, version, capacity: 10 })).toEqual(saved)
    await expect(savePlan(ours.as.OWNER, { workshopId, version, capacity: 20 })).rejects.toEqual(code('conflict'))
    await expect(savePlan(ours.as.OWNER, { workshopId, version: version + 1, videoFileId: newId() })).rejects.toEqual(
      code('not_found'),
    )
  })

  test('keeps simultaneous changes of script and schedule', async () => {
    const workshopId = await video()
    const { version, schedule, mutedTracks, capacity } = await getPlan(ours.as.OWNER, { workshopId })
    const saved = { workshopId, version }
    await savePlan(ours.as.OWNER, { ...saved, base: { mutedTracks }, mutedTracks: ['chat'] })
    const base = { schedule, capacity }
    await savePlan(ours.as.EXPERT, { ...saved, base, schedule: { ...schedule, onDemand: true }, capacity: 5 })
    expect(await getPlan(ours.as.OWNER, { workshopId })).toMatchObject({
      mutedTracks: ['chat'],
      schedule: { onDemand: true },
      capacity: 5,
    })
    await expect(savePlan(ours.as.OWNER, { ...saved, base, capacity: 7 })).rejects.toEqual(code('conflict'))
  })

  test('is changed only by members who manage the event', async () => {
    const workshopId = await video()
    const save = (role: keyof TestTenant['as']) => savePlan(ours.as[role], { workshopId, version: 2, capacity: 5 })
    for (const role of ['CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(save(role), role).rejects.toEqual(code('forbidden'))
    }
    for (const role of ['OWNER', 'DIRECTOR', 'EXPERT'] as const) await save(role)
    expect(await inTenant(scope(), (tx) => readPlan(tx, workshopId))).toMatchObject({ capacity: 5 })
    expect(await inTenant({ tenantId: theirs.tenant.id }, (tx) => readPlan(tx, workshopId))).toBeNull()
  })
})
