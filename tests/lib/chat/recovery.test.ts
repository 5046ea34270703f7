import { beforeAll, expect, test } from 'vitest'
import { requestChatExport } from '#lib/chat/export/export.ts'
import { chatRecoveries } from '#lib/chat/recovery.ts'
import { scheduleChatMessage } from '#lib/chat/scheduled/scheduled.ts'
import { ScheduleMessage } from '#lib/chat/scheduled/schema.ts'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { recoverJobs } from '#lib/core/jobs/recovery.ts'
import { chatCourse, startDirect } from '../../setup/chat/conversations.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
  await chatCourse(home)
})

const readJobs = async () => {
  const { rows } = await pool.query(
    "select name, data, singleton_key as key from pgboss.job where name in ('chat.export', 'chat.sendScheduled') order by name",
  )
  return rows
}

test('the lost jobs of an export and of a message that is due are created again, once', async () => {
  const { OWNER, CURATOR, STUDENT } = home.as
  const conversationId = await startDirect(CURATOR, STUDENT)
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const input = { conversationId, messageId: newId(), body: 'Нагадую про ефір', sendAt }
  await scheduleChatMessage(CURATOR, ScheduleMessage.parse(input))
  await requestChatExport(OWNER, {})
  const jobs = await readJobs()
  expect(jobs).toHaveLength(2)
  await pool.query('delete from pgboss.job')
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  expect(await recoverJobs(chatRecoveries, inMinutes(9))).toBe(0)
  expect(await recoverJobs(chatRecoveries, inMinutes(11))).toBe(1)
  expect(await recoverJobs(chatRecoveries, inMinutes(71))).toBe(1)
  expect(await recoverJobs(chatRecoveries, inMinutes(71))).toBe(0)
  expect(await readJobs()).toEqual(jobs)
})
