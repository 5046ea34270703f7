import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { runAdvance } from '#lib/autowebinar/advance.ts'
import { ensureSession, readAutowebinarChecks } from '#lib/autowebinar/auto-session.ts'
import { buildAutoView } from '#lib/autowebinar/auto-view.ts'
import { getPlan, savePlan } from '#lib/autowebinar/plan.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { notification } from '#lib/notification/table.ts'
import { file, video } from '#lib/storage/table.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { insertFiles } from '../../setup/files.ts'
import { makeFromVideo, saveEntry } from '../../setup/parsed/autowebinar.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const START = new Date('2026-12-01T17:00:00Z')
const MINUTE = 60_000
const after = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

let ours: TestTenant
let workshopId: string
let session: { tenantId: string; id: string; workshopId: string }
beforeAll(async () => {
  ours = await createTestTenant()
})
beforeEach(async () => {
  const owner = ours.as.OWNER
  const made = await makeFromVideo(owner, { title: 'Запис', timeZone: 'Europe/Kyiv', plannedMinutes: 60 })
  workshopId = made.workshopId
  const author = { name: 'Олена', role: 'viewer' as const }
  await saveEntry(owner, {
    workshopId,
    entryId: newId(),
    offsetMs: 1000,
    version: 0,
    content: { type: 'message', payload: { messageId: newId(), author, text: 'Добрий вечір' } },
  })
  const { sessionId } = await inTenant(owner, (tx) => ensureSession(tx, workshopId, START))
  session = { tenantId: ours.tenant.id, id: sessionId, workshopId }
})

const readSession = () =>
  inTenant(session, async (tx) => {
    const [row] = await tx.select().from(workshopSession).where(eq(workshopSession.id, session.id))
    if (!row) throw new Error('no session')
    return row
  })
const view = async (now: Date) => {
  const row = await readSession()
  return inTenant(session, (tx) => buildAutoView(tx, row, { personId: null }, now))
}
const advance = (now: Date) => runAdvance({ tenantId: session.tenantId, sessionId: session.id }, now)
const checkVideo = async () =>
  (await inTenant(session, (tx) => readAutowebinarChecks(tx, workshopId))).find(({ key }) => key === 'autowebinarVideo')

/** Chooses a video in this state of its encoding. */
async function choose(mime: string, encoding?: Partial<typeof video.$inferInsert>): Promise<string> {
  const owner = ours.as.OWNER
  const [fileId = ''] = await insertFiles(owner, [{ name: 'Запис', kind: 'video', mime, size: 1 }])
  if (encoding)
    await inTenant(owner, (tx) => tx.insert(video).values({ tenantId: owner.tenantId, fileId, ...encoding }))
  const { version } = await getPlan(owner, { workshopId })
  await savePlan(owner, { workshopId, version, videoFileId: fileId })
  return fileId
}

const listNotified = () =>
  inTenant(session, (tx) =>
    tx
      .select({ memberId: notification.memberId, link: notification.link })
      .from(notification)
      .where(and(eq(notification.kind, 'auto_video_missing'), eq(notification.memberId, ours.as.OWNER.membershipId))),
  ).then((rows) => rows.filter(({ link }) => link.includes(workshopId)))

test.each([
  ['no video', () => Promise.resolve(''), 'missing', 'auto_no_video'],
  [
    'a video that is processed',
    () => choose('video/x-matroska', { state: 'encoding' }),
    'pending',
    'auto_video_pending',
  ],
  ['a damaged video', () => choose('video/mp4', { state: 'failed', failure: 'damaged' }), 'missing', 'auto_no_video'],
] as const)('a session with %s does not start, and says why', async (_, prepare, videoProblem, refusal) => {
  await prepare()
  await advance(after(1))
  expect(await view(after(2))).toMatchObject({
    video: null,
    videoProblem,
    pastMessages: [],
    nextEvents: [],
    state: { phase: 'waiting' },
  })
  expect((await readSession()).startedAt).toBeNull()
  expect(await checkVideo()).toMatchObject({ passed: false, refusal })
})

test.each([
  ['browsers play while it is processed', () => choose('video/mp4', { state: 'queued' })],
  [
    'has a finished resolution',
    () =>
      choose('video/x-matroska', {
        state: 'resolutionFinished',
        renditions: [{ size: 360, width: 640, height: 360, bandwidth: 1, average: 1, codecs: '', ready: true }],
      }),
  ],
])('a session with a video that %s starts', async (_, prepare) => {
  await prepare()
  expect(await view(after(2))).toMatchObject({
    video: expect.any(Object),
    videoProblem: null,
    pastMessages: [expect.any(Object)],
    state: { phase: 'live' },
  })
  expect(await checkVideo()).toMatchObject({ passed: true })
})

test('the managers and hosts are notified once before the start and once at it', async () => {
  await advance(after(-60))
  await advance(after(-30))
  expect(await listNotified()).toHaveLength(1)
  await advance(after(1))
  await advance(after(2))
  expect(await listNotified()).toHaveLength(2)
})

test('a session continues with a video that becomes available, and says that it was deleted', async () => {
  expect(await view(after(2))).toMatchObject({ videoProblem: 'missing' })
  const fileId = await choose('video/mp4')
  expect(await view(after(5))).toMatchObject({ videoProblem: null, state: { phase: 'live' }, positionMs: 5 * MINUTE })
  await inTenant(session, (tx) => tx.update(file).set({ deletedAt: new Date() }).where(eq(file.id, fileId)))
  expect(await view(after(6))).toMatchObject({ video: null, videoProblem: 'missing', state: { phase: 'live' } })
  await advance(after(6))
  expect(await listNotified()).toHaveLength(1)
})

test('a session whose time passes without a video is canceled instead of counted as missed', async () => {
  await advance(after(61))
  const { startedAt, finishedAt, canceledAt } = await readSession()
  expect({ startedAt, finishedAt, canceledAt }).toEqual({
    startedAt: null,
    finishedAt: null,
    canceledAt: after(61),
  })
})
