import { beforeEach, expect, test } from 'vitest'
import { openChatFile, startChatUpload, sweepUnsentFiles } from '#lib/chat/file/files.ts'
import { deleteChatMessage } from '#lib/chat/message/change.ts'
import { FindChatMessages, MAX_CHAT_FILE_BYTES } from '#lib/chat/schema.ts'
import { findChatMessages } from '#lib/chat/search/search.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { FILE_TEXT, startFile, uploadTo } from '../../setup/chat/chat-files.ts'
import { chatCourse, giveAccess, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { listConversations, listMessages } from '../../setup/chat/parsed-chat.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { describeUpload } from '../../setup/uploads.ts'

let home: TestTenant
let direct: string
let courseId: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
  direct = await startDirect(home.as.STUDENT, home.as.CURATOR)
})

const code = (name: string) => expect.objectContaining({ code: name })

test('a file is readable by the readers of its conversation, until its message is deleted', async () => {
  const { STUDENT, CURATOR, OWNER, MENTOR } = home.as
  const other = await createOtherTenant()
  const fileId = await uploadTo(STUDENT, direct)
  const open = (actor: Actor) => openChatFile(actor, { fileId })
  await expect(open(CURATOR)).rejects.toEqual(code('not_found'))
  expect(await open(STUDENT)).toContain(fileId)
  const { seq, files } = await sendText(STUDENT, direct, '', { fileIds: [fileId] })
  expect(files).toMatchObject([{ id: fileId, name: 'план.txt', kind: 'doc', size: FILE_TEXT.length }])
  expect(await open(CURATOR)).toContain('original.')
  for (const actor of [OWNER, MENTOR, other.as.OWNER]) await expect(open(actor)).rejects.toEqual(code('not_found'))
  await expect(openChatFile(CURATOR, { fileId: newId() })).rejects.toEqual(code('not_found'))
  const { items } = await findChatMessages(CURATOR, FindChatMessages.parse({ query: 'has:file' }))
  expect(items.map((item) => item.seq)).toEqual([seq])
  expect((await listConversations(CURATOR, {})).items).toMatchObject([{ last: { body: '', attachment: 'file' } }])
  await deleteChatMessage(STUDENT, { conversationId: direct, seq })
  for (const actor of [STUDENT, CURATOR]) await expect(open(actor)).rejects.toEqual(code('not_found'))
  const { rows } = await inTenant(STUDENT, (tx) => tx.execute(`select 1 from chat_word where word = 'has:file'`))
  expect(rows).toEqual([])
})

test('access to the files of a course ends with access to it', async () => {
  const course = await start(home.as.CURATOR, { kind: 'course', courseId })
  const classmate = await addTestMember(home, 'STUDENT', 'classmate@school.test')
  await giveAccess(classmate, courseId)
  const fileId = await uploadTo(home.as.CURATOR, course)
  await sendText(home.as.CURATOR, course, 'Матеріали', { fileIds: [fileId] })
  expect(await openChatFile(classmate, { fileId })).toContain(fileId)
  await inTenant(classmate, (tx) => tx.execute('update access_grant set revoked_at = now()'))
  await expect(openChatFile(classmate, { fileId })).rejects.toEqual(code('not_found'))
})

test('only finished uploads of the sender for this conversation are sent, and once', async () => {
  const { STUDENT, CURATOR } = home.as
  const fileId = await uploadTo(STUDENT, direct)
  const running = (await startFile(STUDENT, direct)).uploadId
  const support = await start(STUDENT, { kind: 'support' })
  for (const [actor, conversationId, id] of [
    [CURATOR, direct, fileId],
    [STUDENT, support, fileId],
    [STUDENT, direct, running],
    [STUDENT, direct, newId()],
  ] as const)
    await expect(sendText(actor, conversationId, 'x', { fileIds: [id] })).rejects.toEqual(code('unprocessable'))
  expect((await listMessages(STUDENT, { conversationId: direct })).lastSeq).toBe(0)
  const messageId = newId()
  const sent = await Promise.all([1, 2].map(() => sendText(STUDENT, direct, '', { fileIds: [fileId], messageId })))
  expect(sent.map(({ seq, files }) => [seq, files.length])).toEqual([
    [1, 1],
    [1, 1],
  ])
  await expect(sendText(STUDENT, direct, '', { fileIds: [fileId] })).rejects.toEqual(code('unprocessable'))
})

test('uploads are refused to strangers and above the size limit; unsent ones are deleted after a day', async () => {
  const { STUDENT, OWNER } = home.as
  await expect(startFile(OWNER, direct)).rejects.toEqual(code('not_found'))
  const { parentId: _, ...about } = await describeUpload('план.txt', FILE_TEXT)
  await expect(
    startChatUpload(STUDENT, { conversationId: direct, ...about, size: MAX_CHAT_FILE_BYTES + 1 }),
  ).rejects.toEqual(code('too_large'))
  const announcements = await start(home.as.CURATOR, { kind: 'course', courseId, postPolicy: 'staff' })
  await expect(startFile(STUDENT, announcements)).rejects.toEqual(code('forbidden'))
  const fileId = await uploadTo(STUDENT, direct)
  await sweepUnsentFiles()
  expect(await openChatFile(STUDENT, { fileId })).toContain(fileId)
  await sweepUnsentFiles(new Date(Date.now() + 2 * DAY_MS))
  await expect(openChatFile(STUDENT, { fileId })).rejects.toEqual(code('not_found'))
})
