import ICAL from 'ical.js'
import Papa from 'papaparse'
import { beforeEach, describe, expect, test } from 'vitest'
import { listEntries } from '#lib/autowebinar/script.ts'
import { getScriptFile } from '#lib/autowebinar/script-csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { enterMeeting } from '#lib/meeting/admission/enter.ts'
import { exportChat } from '#lib/meeting/chat/message-pages.ts'
import { readCalendarFile } from '#lib/registration/calendar.ts'
import { readOwnRegistration } from '#lib/registration/own-registration.ts'
import { exportRegistrations } from '#lib/registration/registrants/export.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { requestApi } from '../../api/api-request.ts'
import { createWebinar, listRegistrants, visitorAt } from '../../setup/meeting/events.ts'
import { importScript, makeFromVideo, makeFromWebinar } from '../../setup/parsed/autowebinar.ts'
import { listChatMessages, sendChatMessage } from '../../setup/parsed/meeting.ts'
import { importRegistrations, registerForEvent } from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const NAMES = [
  ['with a hyphen', 'Анна-Марія Нечуй-Левицька'],
  ['with an apostrophe', "Дар'я О’Ніл"],
  ['of signs that mean something elsewhere', 'Bob (the) [b] {u} a|b ^$ *+? . \\ / "q"; d:e, f'],
  ['as long as the limit', `${'Ї'.repeat(80)} ${'Я'.repeat(79)}`],
  ['that begins like a formula', '-Олена'],
] as const

// Messages in the room have the current time.
const START = new Date(Date.now() - 60_000)
const BEFORE = new Date(START.getTime() - 86_400_000)

let home: TestTenant
beforeEach(async () => {
  home = await createTestTenant()
})

describe.each(NAMES)('a viewer named %s', (_, name) => {
  test('registers, joins, writes, and appears in emails, calendars, exports and the script', async () => {
    const place = await createWebinar(home.as.OWNER, { startAt: START.toISOString(), plannedMinutes: 60 })
    const ref = { tenantId: home.tenant.id, id: place.sessionId }
    const happen = (type: 'webinar.start' | 'webinar.finish', at: Date) =>
      inTenant(ref, (tx) => appendEvents(tx, ref, [{ type, payload: {} }], at))
    await registerForEvent(visitorAt(home), { workshopId: place.workshopId, email: 'name@viewer.test', name }, BEFORE)
    const key = (await listRegistrants(home.as.OWNER, place.workshopId)).get('name@viewer.test')?.key ?? ''
    expect(await readOwnRegistration(home.tenant.id, { workshopId: place.workshopId, key }, BEFORE)).toMatchObject({
      name,
    })
    expect((await listEmailsTo('name@viewer.test', home.tenant.id))[0]?.text).toContain(name)

    const { text: file } = await readCalendarFile(home.tenant.id, key, BEFORE)
    const event = new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent('vevent')
    // RFC 5545 has no notation for a double quote in a parameter; RFC 6868 has.
    const common = String(event?.getFirstProperty('attendee')?.getParameter('cn')).replaceAll("^'", '"')
    expect(common.replaceAll(/['"]/g, '')).toBe(name.replaceAll(/['"]/g, ''))

    await happen('webinar.start', START)
    const entered = await enterMeeting(ref.tenantId, {
      workshopId: place.workshopId,
      key: key,
      actor: null,
      locale: 'uk',
    })
    if (entered.kind !== 'room') throw new Error(entered.kind)
    const { seatToken } = entered.room
    await sendChatMessage({ seatToken, messageId: newId(), text: `Мене звати ${name}, пишіть на о@пошта.укр` })
    expect((await listChatMessages({ seatToken })).messages.map((message) => message.name)).toEqual([name])

    const staff = await enterMeeting(ref.tenantId, { workshopId: place.workshopId, actor: home.as.OWNER, locale: 'uk' })
    if (staff.kind !== 'room') throw new Error(staff.kind)
    const chat = await exportChat({ seatToken: staff.room.seatToken }, (key) => key)
    expect(chat.csv).toContain('Мене звати')

    const exported = await exportRegistrations(home.as.OWNER, { workshopId: place.workshopId })
    const [row] = Papa.parse<{ name: string }>(exported.replace('\ufeff', ''), { header: true }).data
    expect(row?.name.replace(/^'(?=[-=+@])/, '')).toBe(name)

    await happen('webinar.finish', new Date(START.getTime() + 3_600_000))
    const made = await makeFromWebinar(home.as.OWNER, { workshopId: place.workshopId })
    expect(made.entries).toBe(1)
    const [line] = await listEntries(home.as.OWNER, { workshopId: made.workshopId })
    expect(line).toMatchObject({ type: 'message', payload: { author: { role: 'viewer' } } })
    expect(JSON.stringify(line?.payload)).not.toContain(JSON.stringify(name).slice(1, -1))
    expect(JSON.stringify(line?.payload)).not.toContain('пошта.укр')
  })

  test('is written into a script and read back', async () => {
    const { workshopId } = await makeScript()
    const csv = Papa.unparse([
      ['offset', 'type', 'author', 'role', 'text'],
      ['0:10', 'message', name, 'viewer', 'Добрий день'],
    ])
    const imported = await importScript(home.as.OWNER, { workshopId, importId: newId(), csv })
    expect(imported).toEqual({ added: 1, errors: [] })
    const [line] = await listEntries(home.as.OWNER, { workshopId })
    expect(line?.payload).toMatchObject({ author: { name } })
    const again = (await makeScript()).workshopId
    const file = await getScriptFile(home.as.OWNER, { workshopId })
    await importScript(home.as.OWNER, { workshopId: again, importId: newId(), csv: file.csv })
    expect((await listEntries(home.as.OWNER, { workshopId: again }))[0]?.payload).toMatchObject({ author: { name } })
  })

  test('is imported', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
    const text = Papa.unparse([
      ['email', 'name'],
      ['import@viewer.test', name],
    ])
    const { lines } = await importRegistrations(home.as.OWNER, { workshopId, text }, BEFORE)
    expect(lines).toMatchObject([{ outcome: 'added' }])
    expect((await listRegistrants(home.as.OWNER, workshopId)).get('import@viewer.test')?.name).toBe(name)
  })
})

test('a name above the limit is refused in the form, and never later', async () => {
  const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START.toISOString() })
  const school = home.tenant.subdomain
  const body = { school, workshopId, email: 'long@viewer.test', name: 'я'.repeat(161) }
  expect(await requestApi('POST', 'registration/register', { body })).toMatchObject({
    status: 400,
    body: { fields: { name: [expect.any(String)] } },
  })
  expect((await listRegistrants(home.as.OWNER, workshopId)).size).toBe(0)
})

function makeScript(): Promise<{ workshopId: string }> {
  return makeFromVideo(home.as.OWNER, { title: 'Сценарій', timeZone: 'Europe/Kyiv' })
}
