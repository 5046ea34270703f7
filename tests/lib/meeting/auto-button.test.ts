import { beforeAll, expect, test } from 'vitest'
import { ensureSession } from '#lib/autowebinar/auto-session.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { recordButtonClick, recordButtonSeen } from '#lib/meeting/activity.ts'
import { ButtonContent } from '#lib/workshop/session/event-schema.ts'
import { addStoredVideo } from '../../setup/media/stored-video.ts'
import { joinRoom, readRoomLog } from '../../setup/meeting/chat-room.ts'
import { makeFromVideo, saveEntry } from '../../setup/parsed/autowebinar.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

test('counts impressions and clicks of a button that only the script shows', async () => {
  const { workshopId } = await makeFromVideo(ours.as.OWNER, {
    fileId: await addStoredVideo(ours.as.OWNER, { duration: null }),
    title: 'Запис',
    timeZone: 'Europe/Kyiv',
    plannedMinutes: 30,
  })
  const buttonId = newId()
  const content = ButtonContent.parse({ label: 'На курс', url: 'https://example.org' })
  await saveEntry(ours.as.OWNER, {
    workshopId,
    entryId: newId(),
    version: 0,
    offsetMs: 4000,
    content: { type: 'button.show', payload: { buttonId, content, shownAt: null } },
  })
  const scope = { tenantId: ours.tenant.id }
  const startAt = new Date(Date.now() - 60_000)
  const { sessionId } = await inTenant(scope, (tx) => ensureSession(tx, workshopId, startAt))
  const room = { ...scope, id: sessionId, workshopId }
  const { seatToken } = await joinRoom(room, 'viewer')
  await recordButtonSeen({ seatToken, buttonId, clientId: 'a' })
  await recordButtonClick({ seatToken, buttonId, clientId: 'b' })
  const types = (await readRoomLog(room)).map(({ type }) => type)
  expect(types).toEqual(['webinar.start', 'button.show', 'user.sawButton', 'user.click'])
})
