import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { getMute } from '#lib/notification/settings/mute.ts'
import { chatCourse, giveAccess, sendText, start } from '../setup/chat/conversations.ts'
import { listMessages } from '../setup/chat/parsed-chat.ts'
import { listInbox } from '../setup/inbox.ts'
import { createMentoring } from '../setup/mentoring.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../setup/tenants.ts'

const PAGES = import.meta.glob<PageModules[string]>(
  '../../src/pages/{inbox/index,chat/index,course/view/[[]id[]],_Dashboard}.astro',
  { eager: true },
)
const pageOf = (path: string) => PAGES[`../../src/pages/${path}.astro`]

let home: TestTenant
let courseId: string
let lessonId: string
let conversationId: string
let item: string
beforeEach(async () => {
  home = await createTestTenant()
  const place = await chatCourse(home)
  courseId = place.courseId
  lessonId = place.lessonId
  conversationId = await start(home.as.STUDENT, { kind: 'lesson', lessonId })
  await sendText(home.as.STUDENT, conversationId, 'Не бачу <відео>')
  item = `lesson.${conversationId}`
})

const open = (query = '', body?: Record<string, string>, role: 'CURATOR' | 'OWNER' = 'CURATOR') =>
  renderPage(pageOf('inbox/index'), { path: `/inbox${query}`, actor: home.as[role], body })
const answerForm = async (body: string) => {
  const { items } = await listInbox(home.as.CURATOR, {})
  return { intent: 'answer', item, since: items[0]?.since ?? '0', messageId: newId(), next: '', body }
}

test('the list shows who waits, and the opened question its messages', async () => {
  const { html } = await open()
  expect(html).toContain('Не бачу &lt;відео&gt;')
  expect(html).toContain('student Тест')
  expect(html).toContain(`/inbox?item=${item}`)
  const opened = await open(`?item=${item}`)
  expect(opened.html).toContain('Надіслати')
  expect(opened.html).toContain('Не бачу &lt;відео&gt;')
  expect((await open('?tab=overdue')).html).toContain('Прострочених запитань немає')
  expect((await open('?tab=x&kind=y&item=z')).html).toContain('Не бачу &lt;відео&gt;')
})

test('an answer leads to the next question, and is sent once', async () => {
  const classmate = await addTestMember(home, 'STUDENT', 'classmate@school.test')
  await giveAccess(classmate, courseId)
  const other = await start(classmate, { kind: 'lesson', lessonId })
  await sendText(classmate, other, 'І я')
  const form = { ...(await answerForm('Оновіть сторінку')), next: `lesson.${other}` }
  const to = `/inbox?saved=answered&sent=${item}&item=lesson.${other}`
  for (const attempt of [1, 2]) expect([attempt, (await open(`?item=${item}`, form)).to]).toEqual([attempt, to])
  expect((await listMessages(home.as.STUDENT, { conversationId })).lastSeq).toBe(2)
})

test('the text of an answer that came too late stays on the page', async () => {
  const form = await answerForm('Моя відповідь')
  await sendText(home.as.OWNER, conversationId, 'Вже відповідаю')
  const late = await open(`?item=${item}`, form)
  expect(late.status).toBe(409)
  expect(late.html).toContain('owner Тест')
  expect(late.html).toContain('Моя відповідь')
  expect((await open(`?item=${item}`, { ...form, body: ' ' })).status).toBe(400)
})

test('questions are closed and the closing is undone by the form', async () => {
  const closed = await open('', { intent: 'close', items: item })
  expect(closed.to).toContain('saved=closed')
  const shown = await open(closed.to?.replace('/inbox', ''))
  expect(shown.html).toContain('Закрито 1 запитання.')
  const undo = new URL(`http://x${closed.to}`).searchParams.get('closed') ?? ''
  expect((await open('', { intent: 'reopen', closed: undo })).to).toBe('/inbox?saved=reopened')
  expect((await open('', { intent: 'reopen', closed: '{' })).status).toBe(400)
  expect((await open()).html).toContain('Не бачу')
})

test('items are assigned, snoozed and answered together by the form', async () => {
  const assigned = await open('', { intent: 'assign', items: item, memberId: home.as.CURATOR.membershipId })
  expect(assigned.to).toContain('saved=assigned&count=1')
  expect((await open('?tab=mine')).html).toContain('Не бачу')
  const many = { intent: 'answerItems', items: item, batchId: newId(), body: '{name}, дякую' }
  expect((await open('', many)).to).toContain('saved=sent&count=1')
  expect((await open('', many)).to).toContain('saved=sent&count=0&skipped=1')
  await sendText(home.as.STUDENT, conversationId, 'Ще одне')
  expect((await open('', { intent: 'snooze', items: item, until: 'week' })).to).toContain('saved=snoozed')
  expect((await open()).html).toContain('Ніхто не чекає')
})

test('a mentor opens a booking from the list, and has no controls of reviewers', async () => {
  const { home: school, mentor, student, programId } = await createMentoring()
  await inTenant(mentor, (tx) => tx.execute(`update mentor_program set confirmation = 'mentor'`))
  const { slots } = await getBookingPage(student, { programId, mentorId: null })
  const bookingId = newId()
  const startAt = new Date(slots[0]?.startAt ?? 0)
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt })
  await bookSession(student, { bookingId, answers: {} })
  const show = (actor: Actor, locale: 'uk' | 'en' = 'uk') =>
    renderPage(pageOf('inbox/index'), { path: '/inbox', actor, locale })
  const { html } = await show(mentor)
  expect(html).toContain(`href="/mentoring?booking=${bookingId}"`)
  expect(html).toContain('Бронювання на підтвердження')
  expect(html).toContain('Портфоліо дизайнера')
  expect(html).toMatch(/Зустріч: .*\d\d:\d\d/)
  expect(html).not.toContain('name="memberId"')
  expect((await show(school.as.OWNER, 'en')).html).toContain('Booking to confirm')
})

test('managers change the answer time; others do not see it', async () => {
  expect((await open('?view=settings')).html).not.toContain('name="answerHours"')
  expect((await open('?view=settings', undefined, 'OWNER')).html).toContain('name="answerHours"')
  const saved = await open('?view=settings', { intent: 'saveSettings', answerHours: '8' }, 'OWNER')
  expect(saved.to).toBe('/inbox?saved=settings')
  const invalid = await open('?view=settings', { intent: 'saveSettings', answerHours: '0' }, 'OWNER')
  expect([invalid.status, invalid.html.includes('aria-invalid="true"')]).toEqual([400, true])
})

test('a student mutes a course, a conversation is muted in the chat, and both are unmuted', async () => {
  const { STUDENT } = home.as
  const course = (body?: Record<string, string>) =>
    renderPage(pageOf('course/view/[id]'), {
      path: `/course/view/${courseId}`,
      actor: STUDENT,
      params: { id: courseId },
      body,
    })
  expect((await course()).html).toContain('Вимкнути сповіщення на тиждень')
  expect((await course({ intent: 'mute', duration: 'always' })).to).toBe(`/course/view/${courseId}`)
  expect((await course()).html).toContain('Увімкнути сповіщення')
  expect((await course({ intent: 'mute', duration: 'year' })).status).toBe(400)
  await course({ intent: 'unmute' })
  expect(await getMute(STUDENT, { type: 'course', id: courseId })).toBeNull()
  const path = `/chat?conversation=${conversationId}`
  const chat = (body?: Record<string, string>) => renderPage(pageOf('chat/index'), { path, actor: STUDENT, body })
  await chat({ intent: 'mute', duration: 'hours' })
  const mute = await getMute(STUDENT, { type: 'conversation', id: conversationId })
  expect(mute?.until?.getTime()).toBeGreaterThan(Date.now() + 7 * 3_600_000)
  expect((await chat()).html).toContain('Без сповіщень до')
})
