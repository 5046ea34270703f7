import { beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { chatCourse, say, start, startDirect } from '../setup/chat/conversations.ts'
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
  for (let n = 1; n <= 60; n += 1) await say(home.as.CURATOR, conversationId, `Повідомлення <${n}> **важливе**`)
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
