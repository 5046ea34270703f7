import { eq } from 'drizzle-orm'
import ICAL from 'ical.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMailServer } from '../../setup/servers/mail-server.ts'

// The configuration is read once, so the server is started before any module of the product is loaded.
const post = await startMailServer()
process.env.SMTP_URL = post.url
const { inTenant, pool } = await import('#lib/core/db/db.ts')
const { startJobs } = await import('#lib/core/jobs/jobs.ts')
const { deliverEmail } = await import('#lib/core/mail/delivery.ts')
const { mail } = await import('#lib/core/mail/table.ts')
const { sendApology } = await import('#lib/registration/registrants/decisions.ts')
const { cancelOwnRegistration, stopReminders } = await import('#lib/registration/own-registration.ts')
const { getReminderSchedule, listEmails, recallBatch, saveEmailSettings, sendTestEmails } = await import(
  '#lib/registration/email/reminder-schedule.ts'
)
const { importRegistrations } = await import('../../setup/parsed/registration.ts')
const { recordAttendance } = await import('#lib/registration/attendance.ts')
const { readCalendarFile } = await import('#lib/registration/calendar.ts')
const { registerForEvent } = await import('../../setup/parsed/registration.ts')
const { sendReminders } = await import('#lib/registration/email/reminders.ts')
const { sendDueEmails } = await import('#lib/registration/email/due-emails.ts')
const { announceCanceled, announcePublished, announceRescheduled } = await import(
  '#lib/registration/email/announcements.ts'
)
const { holdMessage, scheduleMessage } = await import('#lib/outbox/changes.ts')
const { getMessage, listMessages } = await import('../../setup/parsed/outbox.ts')
const { registrationEmail } = await import('#lib/registration/table.ts')
const { updateEvent, listRegistrants, visitorAt, createWebinar } = await import('../../setup/meeting/events.ts')
const { createTestTenant } = await import('../../setup/tenants.ts')
const { whileRowsFail } = await import('../../setup/failing-rows.ts')

type School = Awaited<ReturnType<typeof createTestTenant>>
type Place = Awaited<ReturnType<typeof createWebinar>>

// 19:00 in Kyiv on the evening of the night when clocks went back: 17:00Z.
const START = new Date('2026-10-25T17:00:00Z')
const hoursBefore = (hours: number) => new Date(START.getTime() - hours * 3_600_000)
const minutesAfter = (minutes: number) => new Date(START.getTime() + minutes * 60_000)

let worker: { stop(): Promise<void> }
let home: School
let people = 0
beforeAll(async () => {
  worker = await startJobs({ 'mail.deliver': { run: deliverEmail, maxAttempts: 3, retryDelaySeconds: 1 } })
})
beforeEach(async () => {
  home = await createTestTenant()
})
afterAll(async () => {
  await worker.stop()
  await post.stop()
  await pool.end()
})

/** A person who registers three days before. */
async function comes(place: Place, more: { timeZone?: string; locale?: 'uk' | 'en'; at?: Date } = {}): Promise<string> {
  people += 1
  const email = `guest-${people}@letters.test`
  const { timeZone = 'Europe/Kyiv', locale = 'uk', at = hoursBefore(72) } = more
  await registerForEvent(visitorAt(home, locale), { workshopId: place.workshopId, email, name: 'Олена', timeZone }, at)
  return email
}

const about = (place: Place) => ({ tenantId: home.tenant.id, ...place })

/** Kinds of emails in the outbox of the createTestTenant, oldest first, by address. */
async function kindsTo(email: string): Promise<string[]> {
  const rows = await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx
      .select({ kind: registrationEmail.kind })
      .from(registrationEmail)
      .innerJoin(mail, eq(mail.id, registrationEmail.mailId))
      .where(eq(mail.to, email))
      .orderBy(mail.id),
  )
  return rows.map(({ kind }) => kind)
}

/** The event in the calendar file of an email, parsed by an independent library. */
async function entryIn(letter: Awaited<ReturnType<typeof post.waitForMail>>) {
  const parts = letter.attachments.filter(({ mimeType }) => /text\/calendar|application\/ics/.test(mimeType))
  const [part] = parts
  const text = typeof part?.content === 'string' ? part.content : new TextDecoder().decode(part?.content)
  const calendar = new ICAL.Component(ICAL.parse(text))
  const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? new ICAL.Component('vevent'))
  return {
    parts,
    method: calendar.getFirstPropertyValue('method'),
    uid: event.uid,
    sequence: event.sequence,
    zone: calendar.getFirstSubcomponent('vtimezone')?.getFirstPropertyValue('tzid'),
    startAt: event.startDate.toJSDate(),
    endAt: event.endDate.toJSDate(),
    attendee: String(event.attendees[0]?.getFirstValue()).toLowerCase(),
    status: event.component.getFirstPropertyValue('status'),
  }
}

describe('reminders', () => {
  test('are sent once each, however often and by how many workers the job runs', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString(), plannedMinutes: 90 })
    const email = await comes(place)
    const steps = [
      ['day', hoursBefore(24)],
      ['hour', hoursBefore(1)],
      ['tenMinutes', minutesAfter(-10)],
    ] as const
    for (const [kind, at] of steps) {
      expect(await sendReminders({ ...about(place), kind, version: 1 }, new Date(at.getTime() - 1000))).toBe(0)
      const sent = await Promise.all([1, 2, 3].map(() => sendReminders({ ...about(place), kind, version: 1 }, at)))
      expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1)
      await sendDueEmails(at)
    }
    await updateEvent(home.as.OWNER, place, {}, { startedAt: START })
    await sendReminders({ ...about(place), kind: 'startMissed' }, minutesAfter(15))
    await updateEvent(home.as.OWNER, place, {}, { finishedAt: minutesAfter(90) })
    await sendDueEmails(minutesAfter(95))
    expect(await kindsTo(email)).toEqual(['confirmed', 'day', 'hour', 'tenMinutes', 'startMissed'])
    await sendDueEmails(new Date('2026-10-26T08:00:00Z'))
    await sendDueEmails(new Date('2026-10-26T09:00:00Z'))
    expect(await kindsTo(email)).toEqual(['confirmed', 'day', 'hour', 'tenMinutes', 'startMissed', 'missed'])
  })

  test('of an event that fail stop those of no other', async () => {
    const startAt = START.toISOString()
    const [bad, good] = [
      await createWebinar(home.as.OWNER, { startAt }),
      await createWebinar(home.as.OWNER, { startAt }),
    ]
    const [first, second] = [await comes(bad), await comes(good)]
    await whileRowsFail({ table: 'registration_email', column: 'workshop_id', value: bad.workshopId }, async () => {
      await expect(sendDueEmails(hoursBefore(1))).rejects.toThrow('1 of')
    })
    expect([await kindsTo(first), await kindsTo(second)]).toEqual([['confirmed'], ['confirmed', 'hour']])
    await sendDueEmails(hoursBefore(1))
    expect([await kindsTo(first), await kindsTo(second)]).toEqual([
      ['confirmed', 'hour'],
      ['confirmed', 'hour'],
    ])
  })

  test('give the time in each recipient’s zone and language, with the zone named', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString(), title: 'Подія' })
    const [kyiv, york] = [await comes(place), await comes(place, { timeZone: 'America/New_York', locale: 'en' })]
    for (const email of [kyiv, york]) await post.waitForMail(email)
    await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))
    const [here, there] = [await post.waitForMail(kyiv), await post.waitForMail(york)]
    expect(here.subject).toBe('За годину: Подія')
    expect(here.text).toContain('Початок о 19:00 за Києвом')
    expect(here.text).toContain('неділя, 25 жовтня 2026 р. о 19:00 за Києвом')
    expect(there.subject).toBe('Starting in one hour: Подія')
    // The clocks in America change a week later.
    expect(there.text).toContain('the event starts at 13:00 Eastern Time')
    expect(there.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe('List-Unsubscribe=One-Click')
    const row = (await listRegistrants(home.as.OWNER, place.workshopId)).get(york)
    const address = there.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    expect(address).toBe(`<http://${home.tenant.subdomain}.kafedra.localhost:4321/v1/reminders/${row?.key}>`)
    await stopReminders(home.tenant.id, row?.key ?? '')
    expect(await sendReminders({ ...about(place), kind: 'tenMinutes' }, minutesAfter(-10))).toBe(1)
    expect(await kindsTo(york)).toEqual(['confirmed', 'hour'])
  })

  test('wait for the recipient’s morning a day before, but not an hour before the start', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    // 22:45 in Kathmandu a day before.
    const [asleep, awake] = [await comes(place, { timeZone: 'Asia/Kathmandu' }), await comes(place)]
    await sendReminders({ ...about(place), kind: 'day', version: 1 }, hoursBefore(24))
    expect(await kindsTo(asleep)).toEqual(['confirmed'])
    expect(await kindsTo(awake)).toEqual(['confirmed', 'day'])
    await sendDueEmails(new Date('2026-10-25T02:10:00Z'))
    expect(await kindsTo(asleep)).toEqual(['confirmed'])
    await sendDueEmails(new Date('2026-10-25T02:20:00Z'))
    expect(await kindsTo(asleep)).toEqual(['confirmed', 'day'])
    const subjects = [(await post.waitForMail(asleep)).subject, (await post.waitForMail(asleep)).subject]
    // In Kathmandu it is the day of the event by then.
    expect(subjects).toContain('Вебінар: вже сьогодні')
    await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))
    expect(await kindsTo(asleep)).toEqual(['confirmed', 'day', 'hour'])
  })

  test('are not sent when expired or turned off, nor to later registrants', async () => {
    const place = await createWebinar(home.as.OWNER, {
      startAt: START.toISOString(),
      settings: { emails: { hour: { on: false } } },
    })
    const [early, late] = [await comes(place), await comes(place, { at: hoursBefore(20) })]
    expect(await sendReminders({ ...about(place), kind: 'day' }, hoursBefore(1.5))).toBe(0)
    expect(await sendReminders({ ...about(place), kind: 'day' }, hoursBefore(9))).toBe(1)
    expect(await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))).toBe(0)
    expect([await kindsTo(early), await kindsTo(late)]).toEqual([['confirmed', 'day'], ['confirmed']])
    await updateEvent(home.as.OWNER, place, { canceledAt: hoursBefore(10) })
    expect(await sendReminders({ ...about(place), kind: 'tenMinutes' }, minutesAfter(-10))).toBe(0)
  })

  test('follow up by attendance: attended, left early, missed', async () => {
    const place = await createWebinar(home.as.OWNER, {
      startAt: new Date('2026-10-25T09:00:00Z').toISOString(),
      plannedMinutes: 60,
    })
    const at = (minutes: number) => new Date(Date.parse('2026-10-25T09:00:00Z') + minutes * 60_000)
    const [stayed, left, never] = [await comes(place), await comes(place), await comes(place)]
    const rows = await listRegistrants(home.as.OWNER, place.workshopId)
    const note = (email: string, last: Date) =>
      inTenant({ tenantId: home.tenant.id }, (tx) =>
        recordAttendance(tx, [
          { registrationId: rows.get(email)?.id ?? '', firstAt: at(1), lastAt: last, seconds: 600 },
        ]),
      )
    await note(stayed, at(60))
    await note(left, at(10))
    // A late report with less information reverts nothing.
    await note(left, new Date(at(34).getTime() + 12_000))
    await note(left, at(20))
    await updateEvent(home.as.OWNER, place, {}, { startedAt: at(0), finishedAt: at(61) })
    for (let n = 0; n < 2; n += 1) {
      for (const kind of ['attended', 'leftEarly', 'missed'] as const)
        await sendReminders({ ...about(place), kind }, at(61 + 30))
    }
    expect([await kindsTo(stayed), await kindsTo(left), await kindsTo(never)]).toEqual([
      ['confirmed', 'attended'],
      ['confirmed', 'leftEarly'],
      ['confirmed', 'missed'],
    ])
    // Two workers deliverEmail emails, so the order of arrival is undefined.
    const subjects = [(await post.waitForMail(left)).subject, (await post.waitForMail(left)).subject]
    expect(subjects).toContain('Додивіться з 34:12: Вебінар')
  })

  test('use the tenant’s own text where there is one', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const words = {
      subject: { uk: '{{title}} о {{time}}', en: '' },
      text: { uk: 'Пані {{name}}!\n\nЧекаємо. {{unknown}}', en: '' },
    }
    await saveEmailSettings(home.as.OWNER, { workshopId: place.workshopId, emails: { hour: { on: true, ...words } } })
    const [ours, theirs] = [await comes(place), await comes(place, { locale: 'en' })]
    for (const email of [ours, theirs]) await post.waitForMail(email)
    await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))
    const letter = await post.waitForMail(ours)
    expect(letter.subject).toBe('Вебінар о 19:00 за Києвом')
    expect(letter.text).toContain('Пані Олена!\n\nЧекаємо. {{unknown}}')
    expect((await post.waitForMail(theirs)).subject).toBe('Starting in one hour: Вебінар')
  })
})

describe('one calendar entry', () => {
  test('is created, moved with both times named, and canceled', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString(), plannedMinutes: 90 })
    const email = await comes(place, { timeZone: 'America/New_York', locale: 'en' })
    const row = (await listRegistrants(home.as.OWNER, place.workshopId)).get(email)
    const first = await entryIn(await post.waitForMail(email))
    expect(first).toMatchObject({
      method: 'REQUEST',
      uid: `${row?.id}@kafedra.localhost`,
      sequence: 0,
      zone: 'Europe/Kyiv',
      startAt: START,
      endAt: minutesAfter(90),
      attendee: `mailto:${email}`,
      status: 'CONFIRMED',
    })
    // As an alternative part, which programs offer to add, and as an attachment.
    expect(first.parts.map(({ mimeType }) => mimeType).sort()).toEqual(['application/ics', 'text/calendar'])

    const moved = new Date('2026-11-02T17:00:00Z')
    await updateEvent(home.as.OWNER, place, { startAt: moved, scheduleVersion: 2 }, { startAt: moved })
    const change = { ...about(place), notify: true, was: { startAt: START.toISOString(), timeZone: 'Europe/Kyiv' } }
    await Promise.all([1, 2].map(() => announceRescheduled(change, hoursBefore(48))))
    expect(await sendReminders({ ...about(place), kind: 'day', version: 1 }, hoursBefore(24))).toBe(0)
    await sendNow()
    const second = await post.waitForMail(email)
    expect(second.text).toContain('Before: Sunday, 25 October 2026 at 13:00 Eastern Time')
    // The clocks in New York have changed by then, in Kyiv before: 17:00Z is noon.
    expect(second.text).toContain('Now: Monday, 2 November 2026 at 12:00 Eastern Time')
    expect(await entryIn(second)).toMatchObject({ method: 'REQUEST', uid: first.uid, sequence: 1, startAt: moved })

    await updateEvent(home.as.OWNER, place, { canceledAt: hoursBefore(40) })
    for (let n = 0; n < 2; n += 1) await announceCanceled({ ...about(place), notify: true }, hoursBefore(40))
    await sendNow()
    const third = await post.waitForMail(email)
    expect(third.subject).toBe('Canceled: Вебінар')
    expect(third.text).toContain('the school canceled “Вебінар”')
    expect(await entryIn(third)).toMatchObject({ method: 'CANCEL', uid: first.uid, sequence: 2, status: 'CANCELLED' })
    expect(await kindsTo(email)).toEqual(['confirmed', 'rescheduled', 'canceled'])
  })

  test('sends no notice when not requested, nor about a past time', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const email = await comes(place)
    const was = { startAt: hoursBefore(5).toISOString(), timeZone: 'Europe/Kyiv' }
    expect(await announceRescheduled({ ...about(place), notify: false, was }, hoursBefore(10))).toBe(0)
    expect(await announceRescheduled({ ...about(place), notify: true, was }, minutesAfter(1))).toBe(0)
    expect(await kindsTo(email)).toEqual(['confirmed'])
  })

  test('can be fetched by the link’s key, and leaves with the registration', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const email = await comes(place)
    const { key = '', id } = (await listRegistrants(home.as.OWNER, place.workshopId)).get(email) ?? {}
    const read = async (unsubscribeKey: string, tenantId = home.tenant.id) => {
      const { text } = await readCalendarFile(tenantId, unsubscribeKey)
      const calendar = new ICAL.Component(ICAL.parse(text))
      const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? new ICAL.Component('vevent'))
      return [calendar.getFirstPropertyValue('method'), event.uid.split('@')[0], event.sequence]
    }
    expect(await read(key)).toEqual(['PUBLISH', id, 0])
    expect(await read(place.workshopId)).toEqual(['PUBLISH', place.workshopId, 0])
    await cancelOwnRegistration(home.tenant.id, { workshopId: place.workshopId, key }, hoursBefore(50))
    expect(await read(key)).toEqual(['CANCEL', id, 1])
    const other = await createTestTenant('Інша')
    for (const unsubscribeKey of [key, place.workshopId, 'nothing']) {
      await expect(read(unsubscribeKey, other.tenant.id)).rejects.toThrow(
        expect.objectContaining({ code: 'not_found' }),
      )
    }
  })
})

describe('emails of staff', () => {
  test('can be recalled for a minute, and are not sent then', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const [first, two] = [await comes(place), await comes(place)]
    await updateEvent(home.as.OWNER, place, { startAt: new Date('2040-10-28T17:00:00Z'), scheduleVersion: 2 })
    const was = { startAt: START.toISOString(), timeZone: 'Europe/Kyiv' }
    expect(await announceRescheduled({ ...about(place), notify: true, was }, new Date())).toBe(2)
    const { items } = await listEmails(home.as.OWNER, { workshopId: place.workshopId })
    const batch = items.find(({ kind }) => kind === 'rescheduled')
    expect(batch?.recallUntil).toBeInstanceOf(Date)
    const { workshopId } = place
    expect(await recallBatch(home.as.OWNER, { workshopId, batchId: batch?.batchId ?? '' })).toEqual({
      recalled: 2,
    })
    await sendNow()
    const states = await listEmails(home.as.OWNER, { workshopId })
    expect(states.items.map(({ kind, state }) => [kind, state]).filter(([kind]) => kind === 'rescheduled')).toEqual([
      ['rescheduled', 'recalled'],
      ['rescheduled', 'recalled'],
    ])
    for (const email of [first, two]) {
      expect(
        post.emails.filter(({ recipients, subject }) => recipients.includes(email) && subject?.startsWith('Новий час')),
      ).toEqual([])
    }
  })

  test('list sent and planned ones, and are sent to the actor as a test', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    for (let n = 0; n < 3; n += 1) await comes(place)
    await sendReminders({ ...about(place), kind: 'day' }, hoursBefore(24))
    await comes(place, { at: hoursBefore(20) })
    const { entries: reminders, owesApology } = await getReminderSchedule(
      home.as.OWNER,
      { workshopId: place.workshopId },
      hoursBefore(19),
    )
    const shown = Object.fromEntries(reminders.map(({ kind, sent, planned }) => [kind, [sent, planned]]))
    expect(shown).toMatchObject({ confirmed: [4, 0], day: [3, 0], hour: [0, 4], tenMinutes: [0, 4], missed: [0, 0] })
    expect(reminders.find(({ kind }) => kind === 'hour')?.dueAt).toEqual(hoursBefore(1))
    expect(owesApology).toBe(false)
    const { sent } = await sendTestEmails(home.as.OWNER, { workshopId: place.workshopId })
    expect(sent).toBe(8)
    for (let n = 0; n < sent; n += 1) await post.waitForMail(home.as.OWNER.email)
  })

  test('apologise once for an event that did not take place', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const email = await comes(place)
    const { workshopId } = place
    const early = sendApology(home.as.OWNER, { workshopId }, minutesAfter(30))
    await expect(early).rejects.toThrow(expect.objectContaining({ code: 'unprocessable' }))
    expect((await getReminderSchedule(home.as.OWNER, { workshopId }, minutesAfter(90))).owesApology).toBe(true)
    expect(await sendApology(home.as.OWNER, { workshopId }, minutesAfter(90))).toEqual({ sent: 1 })
    expect(await sendApology(home.as.OWNER, { workshopId }, minutesAfter(91))).toEqual({ sent: 0 })
    expect((await getReminderSchedule(home.as.OWNER, { workshopId }, minutesAfter(92))).owesApology).toBe(false)
    expect(await kindsTo(email)).toEqual(['confirmed', 'apology'])
  })
})

// Last, because its emails fill the queue.
test('two concurrent workers after a crash email everybody once, page by page', async () => {
  const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
  const { workshopId } = place
  const text = Array.from({ length: 230 }, (_, n) => `many-${n}@letters.test`).join('\n')
  await importRegistrations(home.as.OWNER, { workshopId, text }, hoursBefore(72))
  const dying = inTenant({ tenantId: home.tenant.id }, async () => {
    await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))
    throw new Error('the process is gone')
  })
  await expect(dying).rejects.toThrow('gone')
  const sent = await Promise.all([1, 2].map(() => sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))))
  expect(sent.reduce((sum, count) => sum + count, 0)).toBe(230)
  const hours = await inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.select({ id: registrationEmail.id }).from(registrationEmail).where(eq(registrationEmail.kind, 'hour')),
  )
  expect(hours).toHaveLength(230)
  const mails = await inTenant({ tenantId: home.tenant.id }, (tx) => tx.select({ id: mail.id }).from(mail))
  expect(mails).toHaveLength(460)
}, 60_000)

/** Delivers immediately what would be delayed by a minute. */
async function sendNow(): Promise<void> {
  const tenantId = home.tenant.id
  const waiting = await inTenant({ tenantId }, (tx) =>
    tx.select({ id: mail.id }).from(mail).where(eq(mail.status, 'queued')),
  )
  for (const { id } of waiting) await deliverEmail({ tenantId, mailId: id }, { isLastAttempt: false })
}

describe('the outbox', () => {
  const planned = async (place: Place) =>
    (await listMessages(home.as.OWNER, { objectId: place.workshopId })).items.find(
      ({ template }) => template === 'hour',
    )

  test('has each reminder from its planning on, which waits while staff hold it', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const email = await comes(place)
    await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(2))
    await announcePublished({ tenantId: home.tenant.id, workshopId: place.workshopId }, hoursBefore(72))
    const message = await planned(place)
    expect(message).toMatchObject({ state: 'scheduled', recipientCount: 0, sendAt: hoursBefore(1) })
    const messageId = message?.id ?? ''
    await holdMessage(home.as.OWNER, { messageId })
    expect(await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))).toBe(0)
    await scheduleMessage(home.as.OWNER, { messageId })
    expect(await sendReminders({ ...about(place), kind: 'hour' }, hoursBefore(1))).toBe(1)
    const { recipients } = await getMessage(home.as.OWNER, { messageId })
    expect(recipients.map((recipient) => recipient.email)).toEqual([email])
  })

  test('has the email about a new time with its recipients', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const email = await comes(place)
    const was = { startAt: hoursBefore(-1).toISOString(), timeZone: 'Europe/Kyiv' }
    await announceRescheduled(
      { tenantId: home.tenant.id, workshopId: place.workshopId, notify: true, was },
      hoursBefore(40),
    )
    const { items } = await listMessages(home.as.OWNER, { objectId: place.workshopId })
    const messageId = items.find(({ template }) => template === 'rescheduled')?.id ?? ''
    expect((await getMessage(home.as.OWNER, { messageId })).recipients).toMatchObject([{ email, state: 'queued' }])
  })
})
