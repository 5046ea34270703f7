import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import {
  listChatExports,
  openChatExport,
  removeExpiredChatExports,
  requestChatExport,
  runChatExport,
} from '#lib/chat/export/export.ts'
import { forwardMessage } from '#lib/chat/message/forward.ts'
import { canExportChat } from '#lib/chat/rules.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { uploadTo } from '../../setup/chat/chat-files.ts'
import { chatCourse, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { listNotifications } from '../../setup/notification.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { unzipTexts } from '../../setup/unzip.ts'

let home: TestTenant
let course: string
beforeEach(async () => {
  home = await createTestTenant()
  const { courseId } = await chatCourse(home)
  course = await start(home.as.CURATOR, { kind: 'course', courseId })
})

const code = (name: string) => expect.objectContaining({ code: name })
const LAST = { isLastAttempt: true }
const run = (exportId: string) => runChatExport({ tenantId: home.tenant.id, exportId }, LAST)

async function download(actor: Actor, exportId: string): Promise<Record<string, string>> {
  const { body } = await openChatExport(actor, exportId)
  return unzipTexts(Buffer.from(await new Response(body).arrayBuffer()))
}

test('the owner downloads all conversations of the school as JSON and HTML', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const direct = await startDirect(STUDENT, CURATOR)
  await sendText(CURATOR, course, 'Вітаю <усіх> на курсі')
  await sendText(STUDENT, course, 'Дякую', { replyTo: 1 })
  await sendText(STUDENT, direct, 'Особисте запитання')
  const file = { fileIds: [await uploadTo(CURATOR, course)] }
  const { seq } = await sendText(CURATOR, course, 'Програма', file)
  const forward = { conversationId: course, seq, toConversationId: direct, messageId: newId() }
  await forwardMessage(CURATOR, forward)
  const { exportId } = await requestChatExport(OWNER, {})
  expect(await requestChatExport(OWNER, {})).toEqual({ exportId })
  const { rows } = await inTenant(OWNER, (tx) =>
    tx.execute(sql`select object_id as "objectId", actor_id as "actorId" from audit_entry
      where action = ${'chat.exported'}`),
  )
  expect(rows).toEqual([{ objectId: exportId, actorId: OWNER.membershipId }])
  await expect(openChatExport(OWNER, exportId)).rejects.toEqual(code('not_found'))
  for (const _ of [1, 2]) await run(exportId)
  expect((await listChatExports(OWNER)).exports).toMatchObject([
    { id: exportId, state: 'ready', messageCount: 5, title: null },
  ])
  expect((await listNotifications(OWNER, {})).items).toMatchObject([{ kind: 'chat_exported', count: 1 }])
  const files = await download(OWNER, exportId)
  const index = JSON.parse(files['conversations.json'] ?? '') as { folder: string; kind: string }[]
  expect(index.map(({ kind }) => kind)).toEqual(['course', 'direct'])
  const [first, second] = index.map(({ folder }) => folder)
  expect(JSON.parse(files[`${first}/messages.json`] ?? '')).toMatchObject([
    { seq: 1, author: 'curator Тест', body: 'Вітаю <усіх> на курсі', replyToSeq: null },
    { seq: 2, author: 'student Тест', body: 'Дякую', replyToSeq: 1 },
    { seq: 3, body: 'Програма', forwardedFrom: null, files: ['files/3-1 план.txt'] },
  ])
  expect(files[`${first}/messages.html`]).toContain('Вітаю &lt;усіх&gt; на курсі')
  expect(files[`${second}/messages.json`]).toContain('Особисте запитання')
  expect(JSON.parse(files[`${second}/messages.json`] ?? '')).toMatchObject([
    {},
    { seq: 2, forwardedFrom: 'curator Тест', files: ['files/2-1 план.txt'] },
  ])
  // The forwarded file is in both folders.
  for (const name of [`${first}/files/3-1 план.txt`, `${second}/files/2-1 план.txt`])
    expect(files[name]).toBe('План заняття')
})

test('one conversation is exported alone, an empty one too', async () => {
  const { OWNER } = home.as
  const { exportId } = await requestChatExport(OWNER, { conversationId: course })
  await run(exportId)
  const files = await download(OWNER, exportId)
  expect(Object.entries(files).find(([name]) => name.endsWith('messages.json'))?.[1]).toBe('[]\n')
  expect((await listChatExports(OWNER)).exports).toMatchObject([{ messageCount: 0, title: expect.any(String) }])
})

test('only the owner exports, and only conversations of the own school', async () => {
  expect(ROLES.filter((role) => canExportChat({ roles: [role] }).allow)).toEqual(['OWNER'])
  const { OWNER, DIRECTOR, STUDENT } = home.as
  const { exportId } = await requestChatExport(OWNER, {})
  await run(exportId)
  for (const actor of [DIRECTOR, STUDENT]) {
    await expect(requestChatExport(actor, {})).rejects.toEqual(code('forbidden'))
    await expect(openChatExport(actor, exportId)).rejects.toEqual(code('forbidden'))
    await expect(listChatExports(actor)).rejects.toEqual(code('forbidden'))
  }
  const { as } = await createOtherTenant()
  await expect(openChatExport(as.OWNER, exportId)).rejects.toEqual(code('not_found'))
  await expect(requestChatExport(as.OWNER, { conversationId: course })).rejects.toEqual(code('not_found'))
  await expect(openChatExport(OWNER, '../x')).rejects.toEqual(code('not_found'))
})

test('an export is removed after a week', async () => {
  const { OWNER } = home.as
  const later = new Date(Date.now() + 8 * DAY_MS)
  // Those of the other tests.
  await removeExpiredChatExports(later)
  const { exportId } = await requestChatExport(OWNER, {})
  await run(exportId)
  await expect(openChatExport(OWNER, exportId, later)).rejects.toEqual(code('not_found'))
  expect(await removeExpiredChatExports()).toBe(0)
  expect(await removeExpiredChatExports(later)).toBe(1)
  expect((await listChatExports(OWNER)).exports).toMatchObject([{ state: 'removed' }])
  await expect(openChatExport(OWNER, exportId)).rejects.toEqual(code('not_found'))
})
