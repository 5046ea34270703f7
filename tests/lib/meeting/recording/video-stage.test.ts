import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordStream } from '#lib/core/broadcast/recording/recorder.ts'
import { recordingDirectory } from '#lib/core/broadcast/recording/recording-requests.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { store } from '#lib/core/files/files.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'
import { composeSessionVideos } from '#lib/meeting/recording/compose.ts'
import { slidesVideoIdOf } from '#lib/meeting/recording/video-id.ts'
import { hasVisibleSlides, renderStage, toStageSettings } from '#lib/meeting/recording/video-stage.ts'
import { file } from '#lib/storage/table.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { coloredPdf } from '../../../setup/course/colored-pdf.ts'
import { startRtpPublisher } from '../../../setup/media/rtp-publisher.ts'
import { appendTestEvents, createChatRoom, joinRoom } from '../../../setup/meeting/chat-room.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const exec = promisify(execFile)
const { signal } = new AbortController()
const RED: [number, number, number] = [1, 0, 0]
const BLUE: [number, number, number] = [0, 0, 1]

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

describe('the stage layout', () => {
  test('applies from each change on, with the layout at the start for everything before', () => {
    const settings = toStageSettings([
      { offsetMs: 0, mode: 'broadcast' },
      { offsetMs: -5000, fileId: 'a', page: 3 },
      { offsetMs: 2000, mode: 'presentation' },
      { offsetMs: 4000, fileId: 'a', page: 4 },
    ])
    expect(settings).toEqual([
      { offsetMs: 0, mode: 'broadcast', fileId: 'a', page: 3 },
      { offsetMs: 2000, mode: 'presentation', fileId: 'a', page: 3 },
      { offsetMs: 4000, mode: 'presentation', fileId: 'a', page: 4 },
    ])
    expect(hasVisibleSlides(settings)).toBe(true)
    expect(hasVisibleSlides(settings.slice(0, 1))).toBe(false)
  })

  test('is rendered with images of the shown slides, and a file that is no PDF yields none without failing', async () => {
    const [deck, junk] = [newId(), newId()]
    const { id: tenantId } = ours.tenant
    await store.put(`${tenantId}/${deck}`, coloredPdf([RED, BLUE]))
    await store.put(`${tenantId}/${junk}`, Buffer.from('%PDF-1.4 nothing'))
    const shown = { mode: 'presentation' as const }
    await withTemporaryFolder(async (folder) => {
      const turns = await renderStage(
        [
          { offsetMs: 0, ...shown, fileId: deck, page: 2 },
          { offsetMs: 1000, ...shown, fileId: deck, page: 9 },
          { offsetMs: 2000, ...shown, fileId: junk, page: 1 },
          { offsetMs: 3000, ...shown, fileId: newId(), page: 1 },
        ],
        { tenantId, startedAt: new Date(10_000), folder },
        signal,
      )
      expect(turns.map(({ changedAt: at, slide }) => [at, slide !== null])).toEqual([
        [10_000, true],
        [11_000, true],
        [12_000, false],
        [13_000, false],
      ])
      const picture = await loadImage(turns[0]?.slide ?? '')
      expect([picture.width, picture.height]).toEqual([1920, 1080])
      const drawing = createCanvas(1, 1).getContext('2d')
      drawing.drawImage(picture, -900, -500)
      expect([...drawing.getImageData(0, 0, 1, 1).data]).toEqual([0, 0, 255, 255])
    })
  }, 60_000)
})

test('the recording shows the slides as the room did, and a second file shows the camera only', async () => {
  const room = await createChatRoom(ours)
  const { tenantId } = room
  const deck = newId()
  await store.put(`${tenantId}/${deck}`, coloredPdf([RED, BLUE]))
  const { personId } = await joinRoom(room, 'host')
  const begun = new Date()
  await appendTestEvents(room, [{ type: 'webinar.start', payload: {} }], begun)
  await appendTestEvents(
    room,
    [
      { type: 'slide.change', payload: { fileId: deck, page: 1 } },
      { type: 'presentation.change', payload: { mode: 'presentationAndBroadcast' } },
    ],
    begun,
  )
  const source = await startRtpPublisher({ codec: 'H264', picture: 'drawbox=t=fill:color=lime', seconds: 6 })
  const recorder = recordStream(source, path.join(recordingDirectory(room.id), `${personId}-camera`), (error) =>
    expect.unreachable(error.message),
  )
  const after = (ms: number) => new Date(begun.getTime() + ms)
  await new Promise<void>((resolve) => source.onEnd(resolve))
  await recorder.stop()
  const ended = Date.now() - begun.getTime()
  const [third, twoThirds] = [ended / 3, (ended * 2) / 3]
  await appendTestEvents(room, [{ type: 'slide.change', payload: { fileId: deck, page: 2 } }], after(third))
  await appendTestEvents(room, [{ type: 'presentation.change', payload: { mode: 'presentation' } }], after(twoThirds))
  await appendTestEvents(room, [{ type: 'webinar.finish', payload: {} }], after(ended))
  await composeSessionVideos({ tenantId, sessionId: room.id }, { signal })
  const [session] = await inTenant(room, (tx) =>
    tx.select({ video: workshopSession.videoFileId }).from(workshopSession).where(eq(workshopSession.id, room.id)),
  )
  expect(session?.video).toBe(room.id)
  const names = await inTenant(room, (tx) => tx.select({ id: file.id, name: file.name }).from(file))
  expect(names.find(({ id }) => id === room.id)?.name).toBe('Ефір — без слайдів.mp4')
  const recording = slidesVideoIdOf(room.id)
  expect(names.find(({ id }) => id === recording)?.name).toBe('Ефір.mp4')
  // The page at the left, the presenter at the right, and the page alone at the end.
  const colors = (seconds: number) =>
    colorsOf(tenantId, recording, seconds, [
      [700, 540],
      [1700, 540],
    ])
  const middle = ended / 1000 / 2
  expect(await colors(middle)).toEqual(['blue', 'green'])
  expect(await colors(ended / 1000 - 0.4)).toEqual(['blue', 'blue'])
  expect((await colors(third / 1000 - 0.4))[0]).toBe('red')
  expect(await colorsOf(tenantId, room.id, middle, [[640, 360]])).toEqual(['green'])
}, 120_000)

/** The dominant color of points of a video at a second. */
async function colorsOf(tenantId: string, fileId: string, seconds: number, points: [number, number][]) {
  return withTemporaryFolder(async (folder) => {
    const localCopy = await store.openLocalCopy(`${tenantId}/${fileId}`, folder)
    const picture = path.join(folder, 'frame.png')
    const ffmpeg = process.env.FFMPEG_PATH ?? 'ffmpeg'
    await exec(ffmpeg, [
      '-v',
      'error',
      '-ss',
      seconds.toFixed(2),
      '-i',
      localCopy?.path ?? '',
      '-frames:v',
      '1',
      picture,
    ])
    const frame = await loadImage(picture)
    const drawing = createCanvas(frame.width, frame.height).getContext('2d')
    drawing.drawImage(frame, 0, 0)
    await localCopy?.done()
    return points.map(([x, y]) => {
      const [r = 0, g = 0, b = 0] = drawing.getImageData(x, y, 1, 1).data
      return r > 128 ? 'red' : b > 128 ? 'blue' : g > 128 ? 'green' : 'dark'
    })
  })
}
