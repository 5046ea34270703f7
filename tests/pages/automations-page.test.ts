import { beforeAll, expect, test } from 'vitest'
import { switchAutomation } from '#lib/automation/automation.ts'
import { runAutomations } from '#lib/automation/run-automations.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { createGroup, finishGroup } from '#lib/course/group/group.ts'
import { saveAutomation } from '../setup/automation.ts'
import { giveAccess } from '../setup/chat/conversations.ts'
import { withTask } from '../setup/course/works.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../setup/tenants.ts'

const pages = import.meta.glob<PageModules[string]>('../../src/pages/automations/[[]id].astro', { eager: true })
const page = Object.values(pages)[0]

let home: TestTenant
let owner: Actor
let courseId: string
let groupId: string
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  courseId = (await withTask(owner, {})).courseId
  const dates = { startAt: '2026-01-10T08:00:00.000Z', endAt: null, timeZone: 'Europe/Kyiv' }
  groupId = (await createGroup(owner, { courseId, name: 'Ранкова', ...dates })).groupId
})

type Settings = Parameters<typeof saveAutomation>[1]['settings']
async function add(settings: Partial<Settings> & Pick<Settings, 'action'>): Promise<string> {
  const automationId = newId()
  await saveAutomation(owner, {
    automationId,
    version: 0,
    settings: { title: 'Правило', trigger: 'courseJoined', courseId, ...settings },
  })
  return automationId
}
const open = (id: string, query = '', locale: 'uk' | 'en' = 'uk', body?: Record<string, string>) =>
  renderPage(page, { path: `/automations/${id}${query}`, actor: owner, locale, params: { id }, ...(body && { body }) })

test.each(['uk', 'en'] as const)('settings, dry run and log are shown in %s', async (locale) => {
  const id = await add({ action: 'callWebhook', webhookAddress: 'https://crm.example.com/hook' })
  for (const [path, query] of [
    ['create', ''],
    [id, ''],
    [id, '?tab=preview'],
    [id, '?tab=log'],
  ] as const) {
    const { status, html } = await open(path, query, locale)
    expect(status).toBe(200)
    expect(html).not.toMatch(/automation:[a-z]|\{\{/)
  }
  const { html } = await open(id, '', locale)
  expect(html).toContain('https://crm.example.com/hook')
  expect(html).toMatch(/readonly[^>]*value="whsec_/i)
})

test('an address without https is refused next to its field, and what was typed stays', async () => {
  const typed = {
    intent: 'save',
    automationId: newId(),
    version: '0',
    title: 'У CRM',
    trigger: 'courseJoined',
    courseId: '',
    days: '7',
    delayHours: '0',
    action: 'callWebhook',
    subject: '',
    text: '',
    tag: '',
    givenCourseId: '',
    groupId: '',
    webhookAddress: 'http://crm.example.com/hook',
  }
  const refused = await open('create', '', 'uk', typed)
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('id="field-webhookAddress-error"')
  expect(refused.html).toContain('value="http://crm.example.com/hook"')
  const noGroup = await open('create', '', 'uk', { ...typed, action: 'addToGroup' })
  expect(noGroup.html).toContain('id="field-groupId-error"')
  const saved = await open('create', '', 'uk', { ...typed, action: 'addToGroup', groupId })
  expect(saved.to).toContain('notice=created')
})

test('a failed call is sent again from the log, and the secret is changed, by forms', async () => {
  const id = await add({ action: 'callWebhook', webhookAddress: 'https://crm.example.com/hook' })
  await switchAutomation(owner, { automationId: id, isOn: true }, new Date(Date.now() - 60_000))
  const joining = await addTestMember(home, 'STUDENT', 'joining@school.test')
  await giveAccess(joining, courseId)
  await runAutomations()
  expect((await open(id, '?tab=log')).html).not.toContain('Надіслати ще раз')
  await inTenant(owner, (tx) => tx.execute(`update automation_run set result = 'failed' where automation_id = '${id}'`))
  const { html } = await open(id, '?tab=log')
  const cause = /name="cause" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const form = { intent: 'resend', studentId: joining.membershipId, cause }
  const sent = await open(id, '?tab=log', 'uk', form)
  expect(sent.to).toBe(`/automations/${id}?tab=log&notice=resent`)
  expect((await open(id, '?tab=log&notice=resent')).html).toContain('Запит надсилається ще раз.')
  await inTenant(owner, (tx) => tx.execute(`update automation_run set result = 'failed' where automation_id = '${id}'`))
  await switchAutomation(owner, { automationId: id, isOn: false })
  const refused = await open(id, '?tab=log', 'uk', form)
  expect(refused.html).toContain('Автоматизацію вимкнено. Увімкніть її')
  const rotated = await open(id, '', 'uk', { intent: 'rotateSecret', version: '1' })
  expect(rotated.to).toBe(`/automations/${id}?notice=rotated`)
  const settings = await open(id, '?notice=rotated')
  expect(settings.html).toContain('Секрет змінено.')
  expect(settings.html).toContain('Попередній секрет діє до')
})

test('the log names the student and why the action was impossible', async () => {
  const id = await add({ action: 'addToGroup', groupId })
  await switchAutomation(owner, { automationId: id, isOn: true }, new Date(Date.now() - 60_000))
  await finishGroup(owner, { groupId, closesAccess: false })
  await giveAccess(home.as.STUDENT, courseId)
  await runAutomations()
  const { html } = await open(id, '?tab=log')
  expect(html).toContain('student Тест')
  expect(html).toContain('Неможливо')
  expect(html).toContain('Група завершила навчання.')
})
