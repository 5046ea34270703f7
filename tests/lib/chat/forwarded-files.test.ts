import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { chatCardSection } from '#lib/chat/erasure.ts'
import { openChatFile, purgeChatFiles } from '#lib/chat/file/files.ts'
import { deleteChatMessage } from '#lib/chat/message/change.ts'
import { forwardMessage } from '#lib/chat/message/forward.ts'
import { deleteOldMessages } from '#lib/chat/retention/retention.ts'
import { FindChatMessages, UpdateChatSettings } from '#lib/chat/schema.ts'
import { findChatMessages } from '#lib/chat/search/search.ts'
import { updateChatSettings } from '#lib/chat/settings.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { uploadTo } from '../../setup/chat/chat-files.ts'
import { chatCourse, giveAccess, sendText, start, startDirect } from '../../setup/chat/conversations.ts'
import { listMessages } from '../../setup/chat/parsed-chat.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
/** Of the student and the curator. */
let direct: string
/** Of the curator and the mentor. */
let team: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
  direct = await startDirect(home.as.STUDENT, home.as.CURATOR)
  const memberIds = [home.as.MENTOR.membershipId]
  team = await start(home.as.CURATOR, { kind: 'team', title: 'Куратори', conversationId: newId(), memberIds })
})

const code = (name: string) => expect.objectContaining({ code: name })
const forward = (actor: Actor, from: string, seq: number, to: string, messageId = newId()) =>
  forwardMessage(actor, { conversationId: from, seq, toConversationId: to, messageId })
const canOpen = async (actor: Actor, fileId: string): Promise<boolean> =>
  openChatFile(actor, { fileId }).then(
    () => true,
    (error) => {
      expect(error).toEqual(code('not_found'))
      return false
    },
  )
const rowsOf = async (query: ReturnType<typeof sql>) => (await inTenant(home.as.OWNER, (tx) => tx.execute(query))).rows
const isStored = async (fileId: string) => (await rowsOf(sql`select 1 from file where id = ${fileId}`)).length > 0
const purge = (fileIds: string[]) => purgeChatFiles({ tenantId: home.tenant.id, fileIds })

test('files are forwarded with the text, without copies, to readers who have no access to the source', async () => {
  const { STUDENT, CURATOR, MENTOR, OWNER } = home.as
  const other = await createOtherTenant()
  const fileIds = [await uploadTo(STUDENT, direct), await uploadTo(STUDENT, direct)]
  const [fileId = ''] = fileIds
  const { seq } = await sendText(STUDENT, direct, 'Мої плани', { fileIds })
  expect(await canOpen(MENTOR, fileId)).toBe(false)
  const [stored] = await rowsOf(sql`select count(*)::int as files, sum(size)::int as bytes from file`)
  const messageId = newId()
  const [sent] = await Promise.all([1, 2].map(() => forward(CURATOR, direct, seq, team, messageId)))
  expect(sent).toMatchObject({ body: 'Мої плани', attachment: 'file', forwardedFrom: 'student Тест' })
  const { messages } = await listMessages(MENTOR, { conversationId: team })
  expect(messages.map(({ files }) => files.map(({ id }) => id))).toEqual([fileIds])
  expect(await rowsOf(sql`select count(*)::int as files, sum(size)::int as bytes from file`)).toEqual([stored])
  const opened = [STUDENT, CURATOR, MENTOR, OWNER, other.as.OWNER].map((actor) => canOpen(actor, fileId))
  expect(await Promise.all(opened)).toEqual([true, true, true, false, false])
  const { items } = await findChatMessages(MENTOR, FindChatMessages.parse({ query: 'has:file' }))
  expect(items).toMatchObject([{ conversationId: team, seq: 1 }])
})

test('a message of files alone is forwarded, again and to the same conversation too; a voice message stays one', async () => {
  const { STUDENT, CURATOR, MENTOR } = home.as
  const fileIds = [await uploadTo(STUDENT, direct)]
  const { seq } = await sendText(STUDENT, direct, '', { fileIds, isVoice: true })
  await forward(CURATOR, direct, seq, team)
  await forward(MENTOR, team, 1, team)
  const [, again] = (await listMessages(CURATOR, { conversationId: team })).messages
  expect(again).toMatchObject({
    body: '',
    attachment: 'voice',
    author: 'mentor Тест',
    forwardedFrom: 'student Тест',
    files: [{ id: fileIds[0] }],
  })
})

test('forwarded files stay when the first message is deleted, and are deleted with the last message', async () => {
  const { STUDENT, CURATOR, MENTOR } = home.as
  const fileId = await uploadTo(STUDENT, direct)
  const { seq } = await sendText(STUDENT, direct, 'План', { fileIds: [fileId] })
  await forward(CURATOR, direct, seq, team)
  await deleteChatMessage(STUDENT, { conversationId: direct, seq })
  await purge([fileId])
  expect([await canOpen(STUDENT, fileId), await canOpen(MENTOR, fileId)]).toEqual([false, true])
  await expect(forward(CURATOR, direct, seq, team)).rejects.toEqual(code('not_found'))
  await deleteChatMessage(CURATOR, { conversationId: team, seq: 1 })
  expect(await canOpen(MENTOR, fileId)).toBe(false)
  const jobs = await rowsOf(sql`select data from pgboss.job where name = 'chat.purgeFiles'
    and data->'fileIds' ? ${fileId} order by created_on`)
  expect(jobs).toHaveLength(2)
  expect(await isStored(fileId)).toBe(true)
  await purge([fileId])
  await purge([fileId])
  expect(await isStored(fileId)).toBe(false)
})

test('the age of the first message does not end the file of a newer one', async () => {
  const { STUDENT, CURATOR, OWNER, MENTOR } = home.as
  const fileId = await uploadTo(STUDENT, direct)
  const { seq } = await sendText(STUDENT, direct, 'План', { fileIds: [fileId] })
  await forward(CURATOR, direct, seq, team)
  await rowsOf(sql`update chat_message set created_at = now() - interval '100 days' where conversation_id = ${direct}`)
  await updateChatSettings(OWNER, UpdateChatSettings.parse({ retentionDays: 90 }))
  expect(await deleteOldMessages(new Date())).toBe(1)
  await purge([fileId])
  expect([await canOpen(STUDENT, fileId), await canOpen(MENTOR, fileId)]).toEqual([false, true])
})

test('only who reads the first message forwards it, and only to where the actor may write', async () => {
  const { STUDENT, CURATOR, MENTOR } = home.as
  const other = await createOtherTenant()
  const fileId = await uploadTo(CURATOR, team)
  const { seq } = await sendText(CURATOR, team, 'Внутрішнє', { fileIds: [fileId] })
  const own = await start(STUDENT, { kind: 'support' })
  await expect(forward(STUDENT, team, seq, own)).rejects.toEqual(code('not_found'))
  await expect(forward(MENTOR, team, seq, direct)).rejects.toEqual(code('not_found'))
  const theirs = await start(other.as.STUDENT, { kind: 'support' })
  await expect(forward(other.as.STUDENT, team, seq, theirs)).rejects.toEqual(code('not_found'))
  await expect(forward(CURATOR, team, seq, theirs)).rejects.toEqual(code('not_found'))
  const announcements = await start(CURATOR, { kind: 'course', courseId, postPolicy: 'staff' })
  await sendText(STUDENT, direct, 'Питання', { fileIds: [await uploadTo(STUDENT, direct)] })
  await expect(forward(STUDENT, direct, 1, announcements)).rejects.toEqual(code('forbidden'))
  expect(await rowsOf(sql`select 1 from chat_file where file_id = ${fileId} and conversation_id <> ${team}`)).toEqual(
    [],
  )
})

test('a reader who loses access to the conversation loses the forwarded file', async () => {
  const { CURATOR } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  const classmate = await addTestMember(home, 'STUDENT', 'classmate@school.test')
  await giveAccess(classmate, courseId)
  const fileId = await uploadTo(CURATOR, direct)
  const { seq } = await sendText(CURATOR, direct, '', { fileIds: [fileId] })
  await forward(CURATOR, direct, seq, course)
  expect(await canOpen(classmate, fileId)).toBe(true)
  await rowsOf(sql`update access_grant set revoked_at = now() where student_id = ${classmate.membershipId}`)
  expect(await canOpen(classmate, fileId)).toBe(false)
})

test('the files of an erased student are removed wherever they were forwarded, and what the student forwarded', async () => {
  const { STUDENT, CURATOR, MENTOR } = home.as
  const course = await start(CURATOR, { kind: 'course', courseId })
  const own = await uploadTo(STUDENT, direct)
  await sendText(STUDENT, direct, '', { fileIds: [own] })
  await forward(CURATOR, direct, 1, team)
  const ofCurator = await uploadTo(CURATOR, direct)
  await sendText(CURATOR, direct, 'Приклад', { fileIds: [ofCurator] })
  await forward(STUDENT, direct, 2, course)
  const person = { studentId: STUDENT.membershipId, email: STUDENT.email }
  await inTenant(CURATOR, async (tx) => {
    await chatCardSection.erase?.(tx, person)
  })
  await purge([own, ofCurator])
  expect([await canOpen(MENTOR, own), await isStored(own)]).toEqual([false, false])
  expect(await rowsOf(sql`select conversation_id as id from chat_file`)).toEqual([{ id: direct }])
  expect(await canOpen(CURATOR, ofCurator)).toBe(true)
})

test('a message that is deleted while it is forwarded is forwarded with its file, or not at all', async () => {
  const { STUDENT, CURATOR, MENTOR } = home.as
  for (let n = 0; n < 8; n += 1) {
    const fileId = await uploadTo(STUDENT, direct)
    const { seq } = await sendText(STUDENT, direct, '', { fileIds: [fileId] })
    const remove = async () => {
      await deleteChatMessage(STUDENT, { conversationId: direct, seq })
      await purge([fileId])
    }
    const [forwarded] = await Promise.allSettled([forward(CURATOR, direct, seq, team), remove()])
    const isForwarded = forwarded.status === 'fulfilled'
    expect([await canOpen(MENTOR, fileId), await isStored(fileId)]).toEqual([isForwarded, isForwarded])
    if (!isForwarded) expect(forwarded.reason).toEqual(code('not_found'))
  }
})
