import { beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { localDay, localTime } from '#lib/core/shared/time-zone.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { saveScheduleNote } from '#lib/schedule/note.ts'
import { saveSecondZone } from '#lib/schedule/reader.ts'
import { changeLesson, publishedCourse } from '../setup/course/groups.ts'
import { createMentoring } from '../setup/mentoring.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createEvent } from '../setup/schedule.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'

const pages = import.meta.glob<PageModules[string]>('../../src/pages/schedule/index.astro', { eager: true })
const page = Object.values(pages)[0]
let home: TestTenant
let owner: Actor
let webinar: string
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  webinar = await createEvent(owner, 'Ефір <наживо>', new Date('2027-03-24T17:00:00Z'))
})

const get = (path: string, actor = owner) => renderPage(page, { path, actor })
const post = (path: string, body: Record<string, string>, actor = owner) => renderPage(page, { path, actor, body })
const linksOf = (html: string) =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.replaceAll(/&amp;|&#38;/g, '&'))
/** The text of a page from its heading on, so that failures stay readable. */
const textOf = (html: string) =>
  (/<h1[\s\S]*<\/main>/.exec(html)?.[0] ?? html).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const item = () => `day=2027-03-24&item=webinar:${webinar}`

test('a month, a week, a day and an agenda show the item with its time, and the zone of the times', async () => {
  for (const view of ['month', 'week', 'day', 'agenda']) {
    const { html, status } = await get(`/schedule?view=${view}&date=2027-03-24`)
    expect(status).toBe(200)
    expect(html).toContain('Ефір &lt;наживо&gt;')
    expect(html).toContain('19:00')
    expect(html).toContain('Час: за Києвом')
  }
})

test('the second zone is shown next to the times and named', async () => {
  await saveSecondZone(home.as.EXPERT, { secondZone: 'Asia/Kathmandu' })
  const { html } = await get('/schedule?view=week&date=2027-03-24', home.as.EXPERT)
  expect(html).toContain('22:45')
  expect(html).toContain('Другий час:')
})

test('filters and periods are links that keep each other', async () => {
  const { html } = await get('/schedule?view=week&date=2027-03-24&kind=webinar')
  expect(linksOf(html)).toContain('/schedule?view=week&date=2027-03-31&kind=webinar')
  const invalid = await get('/schedule?view=year&date=yesterday&kind=none&course=1')
  expect(invalid.status).toBe(200)
})

test('a schedule without items says what it is for', async () => {
  const { html } = await get('/schedule?view=agenda&date=2030-01-01')
  expect(html).toContain('Тут поки нічого немає')
  expect((await get('/schedule?view=agenda&date=2030-01-01&kind=test')).html).toContain(
    'За цими фільтрами нічого немає',
  )
})

test('an item has a page with calendar links, and is moved there with its conflicts shown first', async () => {
  const { html } = await get(`/schedule?${item()}`)
  expect(html).toContain('calendar.google.com')
  expect(linksOf(html).some((href) => href?.startsWith('/v1/schedule/item.ics?day=2027-03-24'))).toBe(true)
  const preview = await get(`/schedule?${item()}&panel=move&to=2027-08-24T23:00`)
  expect(textOf(preview.html)).toContain('Поза робочими годинами школи: 08:00–21:00.')
  expect(textOf(preview.html)).toContain('День незалежності України')
  const skipped = await get(`/schedule?${item()}&panel=move&to=2027-03-28T03:30`)
  expect(textOf(skipped.html)).toContain('Такого часу цього дня немає')
  const twice = await get(`/schedule?${item()}&panel=move&to=2027-10-31T03:30&fold=second`)
  expect(twice.html).toContain('2027-10-31T01:30:00.000Z')
  const body = { intent: 'moveSilently', from: '2027-03-24T17:00:00.000Z', startAt: '2027-03-25T17:00:00.000Z' }
  const moved = await post(`/schedule?${item()}&panel=move`, body)
  expect(moved.to).toContain('date=2027-03-25')
  expect(moved.to).toContain('saved=moved')
  const shown = await get(moved.to ?? '')
  expect(shown.html).toContain('value="moveSilently"')
  const undo = { intent: 'moveSilently', from: body.startAt, startAt: body.from }
  expect((await post(`/schedule?${item()}`, undo)).to).toContain('date=2027-03-24')
})

test('a session with a mentor is moved with a reason, which is asked for again when it is missing', async () => {
  const { programId, mentor, student } = await createMentoring()
  const { slots } = await getBookingPage(student, { programId, mentorId: mentor.membershipId })
  const startAt = new Date(slots[0]?.startAt ?? 0)
  const bookingId = newId()
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt })
  await bookSession(student, { bookingId, answers: {} })
  const day = localDay(startAt, mentor.timeZone)
  const target = new Date(startAt.getTime() + 7 * DAY_MS)
  const path = `/schedule?day=${day}&item=booking:${bookingId}.mentor&panel=move&to=${localDay(target, mentor.timeZone)}T12:00`
  expect(textOf((await get(path, mentor)).html)).toContain('Про новий час і причину повідомимо 1 студента.')
  const [from, to] = [startAt.toISOString(), target.toISOString()]
  const body = { intent: 'moveAndNotify', movedId: bookingId, from, startAt: to, reason: '' }
  const refused = await post(path, body, mentor)
  expect(refused.status).toBe(400)
  expect(textOf(refused.html)).toContain('Про новий час')
  const moved = await post(path, { ...body, reason: 'Відрядження' }, mentor)
  expect(moved.to).toContain('saved=moved')
  const shown = await get(moved.to ?? '', mentor)
  expect(shown.html).not.toContain('value="moveSilently"')
  expect((await get('/schedule?view=agenda', student)).html).not.toContain('data-movable')
})

test('a refused note keeps what was typed, and a saved one can be deleted and restored', async () => {
  const typed = {
    intent: 'saveScheduleNote',
    noteId: newId(),
    title: '',
    text: 'Довгий текст',
    startAt: '99.99',
    minutes: '3',
    version: '',
  }
  const refused = await post('/schedule?panel=note&day=2027-03-24', typed)
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('Довгий текст')
  const saved = await post('/schedule?panel=note', {
    ...typed,
    title: 'Моє',
    startAt: '24.03.2027, 10:00',
    minutes: '',
  })
  expect(saved.to).toContain('date=2027-03-24')
  const edit = await get(`/schedule?panel=note&note=${typed.noteId}`)
  expect(edit.html).toContain('value="Моє"')
  const deleted = await post('/schedule?panel=note', { intent: 'deleteScheduleNote', noteId: typed.noteId })
  expect((await get(deleted.to ?? '')).html).toContain('Нотатку видалено.')
  expect((await post('/schedule', { intent: 'restoreScheduleNote', noteId: typed.noteId })).to).toContain(
    'noteRestored',
  )
})

test('the address of a feed is shown once, when it is created', async () => {
  const created = await post('/schedule?panel=settings', { intent: 'renewFeed' })
  expect(created.html).toMatch(/\/ical\/[\w-]{54}\.ics/)
  const later = await get('/schedule?panel=settings')
  expect(later.html).not.toContain('/ical/')
  expect(later.html).toContain('Посилання створено')
  expect((await post('/schedule?panel=settings', { intent: 'revokeFeed' })).to).toContain('feedRevoked')
})

test('a student who is viewed by staff sees the schedule without anything to change', async () => {
  const noteId = newId()
  await saveScheduleNote(home.as.STUDENT, {
    noteId,
    title: 'Студентське',
    text: '',
    startAt: '2027-03-24T08:00:00.000Z',
    minutes: null,
    version: null,
  })
  const view = { memberId: owner.membershipId, expiresAt: new Date(Date.now() + 60_000), endPath: '/' }
  const { html } = await get('/schedule?date=2027-03-24', { ...home.as.STUDENT, impersonation: view })
  expect(html).toContain('Студентське')
  expect(html).not.toContain('panel=note')
})

test('working hours are set by the owner, refused hours are shown again, and others only read them', async () => {
  const typed = { intent: 'saveWorkingHours', from: '18:00', to: '9:00' }
  const refused = await post('/schedule?panel=settings', typed)
  expect(refused.status).toBe(400)
  expect(textOf(refused.html)).toContain('Кінець має бути пізніше за початок')
  expect(refused.html).toContain('value="18:00"')
  const saved = await post('/schedule?panel=settings', { ...typed, from: '09:00', to: '00:00' })
  expect(saved.to).toContain('saved=workingHours')
  const shown = textOf((await get('/schedule?panel=settings', home.as.MENTOR)).html)
  expect(shown).toContain('Зараз: 09:00–24:00.')
  expect((await get('/schedule?panel=settings', home.as.STUDENT)).html).not.toContain('Робочі години')
})

test('a lesson of a group is moved on the page that drag and keyboard open, with what moves along and how many are notified', async () => {
  const { courseId, lessonIds } = await publishedCourse(owner)
  const [, lessonId = ''] = lessonIds
  const opensAt = new Date(Date.now() + 20 * DAY_MS)
  opensAt.setUTCHours(8, 0, 0, 0)
  await changeLesson(owner, courseId, lessonId, { mode: 'date', at: opensAt.toISOString() })
  const group = { startAt: new Date(Date.now() - DAY_MS).toISOString(), endAt: null, timeZone: owner.timeZone }
  const { groupId } = await createGroup(owner, { courseId, name: 'Весняна', ...group })
  await changeMembers(owner, { action: 'add', groupId, studentIds: [home.as.STUDENT.membershipId] })
  const [day, next] = [localDay(opensAt, owner.timeZone), localDay(opensAt, owner.timeZone, 1)]
  const time = localTime(opensAt, owner.timeZone)
  const address = `/schedule?day=${day}&item=lesson:${lessonId}.${groupId}`
  const { html } = await get(`/schedule?date=${day}`)
  expect(html).toContain(`item=lesson:${lessonId}.${groupId}" data-movable data-time="${time}"`)
  const preview = await get(`${address}&panel=move&to=${next}T${time}`)
  expect(textOf(preview.html)).toContain('Повідомити про нову дату? Доступ має 1 студент.')
  const sameDay = await get(`${address}&panel=move&to=${day}T23:00`)
  expect(textOf(sameDay.html)).toContain('Дати групи переносяться на цілі дні')
  expect(sameDay.html).not.toContain('data-move-confirm')
  const to = /name="startAt" value="([^"]+)"/.exec(preview.html)?.[1] ?? ''
  const body = { intent: 'moveAndNotify', movedId: `${lessonId}.${groupId}`, from: opensAt.toISOString(), startAt: to }
  const moved = await post(`${address}&panel=move`, body)
  expect(moved.to).toContain(`date=${next}`)
  expect((await get(moved.to ?? '')).html).toContain('value="moveSilently"')
  const undo = { intent: 'moveSilently', from: to, startAt: opensAt.toISOString() }
  expect((await post(`/schedule?day=${next}&item=lesson:${lessonId}.${groupId}`, undo)).to).toContain(`date=${day}`)
})
