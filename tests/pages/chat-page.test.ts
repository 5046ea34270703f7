import { beforeAll, expect, test } from 'vitest'
import { leaveConversation } from '#lib/chat/membership.ts'
import { scheduleChatMessage } from '#lib/chat/scheduled/scheduled.ts'
import { ScheduleMessage } from '#lib/chat/scheduled/schema.ts'
import { newId } from '#lib/core/db/id.ts'
import { chatCourse, sendText, start, startDirect } from '../setup/chat/conversations.ts'
import { listMessages } from '../setup/chat/parsed-chat.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { createTestTenant, type TestTenant } from '../setup/tenants.ts'

const PAGES = import.meta.glob<PageModules[string]>('../../src/pages/chat/index.astro', { eager: true })
const page = PAGES['../../src/pages/chat/index.astro']

let home: TestTenant
let conversationId: string
beforeAll(async () => {
  home = await createTestTenant()
  await chatCourse(home)
  conversationId = await startDirect(home.as.STUDENT, home.as.CURATOR)
})

const open = (role: 'STUDENT' | 'CURATOR' | 'OWNER', query = '', body?: Record<string, string>) =>
  renderPage(page, { path: `/chat${query}`, actor: home.as[role], body })

test('without scripts, messages are read, paged and sent once', async () => {
  for (let n = 1; n <= 60; n += 1) await sendText(home.as.CURATOR, conversationId, `Повідомлення <${n}> **важливе**`)
  const { status, html } = await open('STUDENT', `?conversation=${conversationId}`)
  expect(status).toBe(200)
  expect(html).toContain('Повідомлення &lt;60&gt; <strong>важливе</strong>')
  expect(html).not.toContain('Повідомлення &lt;10&gt;')
  const older = `?conversation=${conversationId}&amp;before=11`
  expect(html).toContain(older)
  const { html: earlier } = await open('STUDENT', older.replace('&amp;', '&'))
  expect(earlier).toContain('Повідомлення &lt;10&gt;')
  const { html: linked } = await open('STUDENT', `?conversation=${conversationId}&message=3`)
  expect(linked).toContain('id="message-3"')
  expect(linked).not.toContain('id="message-60"')
  expect((await open('STUDENT', `?conversation=${conversationId}&message=0`)).html).toContain('id="message-60"')
  const body = { intent: 'send', conversationId, messageId: newId(), body: 'Дякую' }
  for (const attempt of [1, 2])
    expect([attempt, (await open('STUDENT', '', body)).to]).toEqual([attempt, `/chat?conversation=${conversationId}`])
  expect((await listMessages(home.as.STUDENT, { conversationId })).lastSeq).toBe(61)
  expect((await open('STUDENT', '', { ...body, messageId: newId(), body: ' ' })).status).toBe(400)
})

test('a new conversation begins with a form', async () => {
  const { html } = await open('STUDENT', '?view=new')
  expect(html).toContain('Написати: curator Тест')
  expect(html).not.toContain('mentor Тест')
  const { to } = await open('STUDENT', '?view=new', { intent: 'start', kind: 'support' })
  expect(to).toMatch(/^\/chat\?conversation=/)
  const { html: support } = await open('OWNER', '?view=new')
  expect(support).toContain('Розмова команди')
  const refused = await open('OWNER', '?view=new', {
    intent: 'start',
    kind: 'team',
    title: '',
    conversationId: newId(),
  })
  expect(refused.status).toBe(400)
})

test('owners change whom students may write to; others do not see the settings', async () => {
  expect((await open('CURATOR', '?view=settings')).html).not.toContain('name="contactPolicy"')
  expect((await open('OWNER', '?view=settings')).html).toContain('name="contactPolicy"')
  const saved = await open('OWNER', '?view=settings', { intent: 'saveSettings', contactPolicy: 'staff' })
  expect(saved.to).toBe('/chat?view=settings&saved=1')
  await start(home.as.STUDENT, { kind: 'direct', memberId: home.as.MENTOR.membershipId })
})

test('participants of a team conversation are added by a form; the last one cannot leave', async () => {
  const { CURATOR, OWNER, MENTOR } = home.as
  const id = newId()
  const memberIds = [OWNER.membershipId]
  await start(CURATOR, { kind: 'team', title: 'Рада', conversationId: id, memberIds })
  const members = `?view=participants&within=${id}`
  const { html } = await open('CURATOR', members)
  expect(html).toContain('owner Тест')
  expect((await open('CURATOR', members, { intent: 'addParticipants', conversationId: id })).status).toBe(400)
  const added = { intent: 'addParticipants', conversationId: id, memberIds: MENTOR.membershipId }
  expect((await open('CURATOR', members, added)).to).toBe(`/chat${members}`)
  const leave = { intent: 'leave', conversationId: id }
  expect((await open('OWNER', `?conversation=${id}`, leave)).to).toBe('/chat')
  expect((await open('CURATOR', members)).html).toContain(`value="${OWNER.membershipId}"`)
  await leaveConversation(MENTOR, { conversationId: id })
  const refused = await open('CURATOR', `?conversation=${id}`, leave)
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('Крім вас, у цій розмові нікого немає')])
})

test('scheduled messages of all conversations are listed, and canceled by a form', async () => {
  const messageId = newId()
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const input = { conversationId, messageId, body: 'Заплановано <на потім>', sendAt }
  await scheduleChatMessage(home.as.STUDENT, ScheduleMessage.parse(input))
  expect((await open('STUDENT', '?view=scheduled')).html).toContain('Заплановано &lt;на потім&gt;')
  expect((await open('CURATOR', '?view=scheduled')).html).not.toContain('на потім')
  const cancel = { intent: 'cancelScheduled', messageId }
  expect((await open('STUDENT', '?view=scheduled', cancel)).to).toBe('/chat?view=scheduled')
  const again = await open('STUDENT', '?view=scheduled', cancel)
  expect([again.status, again.html]).toEqual([409, expect.stringContaining('вже надіслано або скасовано')])
})

test('a conversation is archived and exported, and old messages are deleted, by forms', async () => {
  const archive = (isArchived: string) => open('STUDENT', '', { intent: 'archive', conversationId, isArchived })
  expect((await archive('true')).to).toBe('/chat')
  expect((await open('STUDENT', '?view=archive')).html).toContain('curator Тест')
  expect((await open('STUDENT')).html).not.toContain('curator Тест')
  expect((await archive('false')).to).toBe(`/chat?conversation=${conversationId}`)
  expect((await open('OWNER', '?view=settings', { intent: 'export' })).to).toBe('/chat?view=settings#exports')
  expect((await open('OWNER', '?view=settings')).html).toContain('готується')
  const save = (retentionDays: string) =>
    open('OWNER', '?view=settings', { intent: 'saveSettings', contactPolicy: 'staff', retentionDays })
  const refused = await save('5')
  expect([refused.status, refused.html]).toEqual([400, expect.stringContaining('value="5"')])
  expect((await save('90')).to).toBe('/chat?view=settings&saved=1')
  expect((await open('OWNER', '?view=settings')).html).toContain('value="90"')
})
