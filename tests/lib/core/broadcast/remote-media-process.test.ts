import { beforeEach, expect, test } from 'vitest'
import { closeRoom, endSession, getSfuStatus, playStream } from '#lib/core/broadcast/broadcast.ts'
import { answerRemoteRequest, createRemoteMediaProcess } from '#lib/core/broadcast/remote-media-process.ts'
import { type FakeMediaProcess, installFakeMediaProcess } from '../../../setup/media/fake-media-process.ts'

let fake: FakeMediaProcess

// The media process belongs to the main process; the functions of this test run as those of a web process.
beforeEach(() => {
  fake = installFakeMediaProcess()
  const mediaProcess = globalThis.kafedraMediaProcess
  if (!mediaProcess) throw new Error('no media process')
  const remote = createRemoteMediaProcess((request) => {
    void answerRemoteRequest(mediaProcess, request).then((response) => remote.receive(structuredClone(response)))
  })
  globalThis.kafedraMediaProcess = remote
})

const OFFER = { room: 'room', stream: 'stream', participant: 'p', sdp: 'offer' }

test('a web process plays a stream of the media process of the main process', async () => {
  expect(await playStream(OFFER)).toEqual({ resource: 'made', sdp: 'answer' })
  expect(fake.requests).toEqual([{ op: 'play', ...OFFER }])
})

test('simultaneous requests get their own responses', async () => {
  expect(await Promise.all([endSession('a'), playStream(OFFER), closeRoom('room')])).toEqual([
    true,
    { resource: 'made', sdp: 'answer' },
    1,
  ])
})

test.each([
  ['full', 'broadcast_full'],
  ['notPublished', 'not_found'],
  [undefined, 'broadcast_down'],
])('a fault %s is refused as %s, as in the main process', async (fault, code) => {
  fake.beforeResponse = () => {
    throw Object.assign(new Error('a fault'), { fault })
  }
  await expect(playStream(OFFER)).rejects.toMatchObject({ code })
})

test('ending something starts no media process', async () => {
  fake.isRunning = false
  expect(await endSession('a')).toBe(false)
  expect(await closeRoom('room')).toBe(0)
  expect(await getSfuStatus()).toMatchObject({ streams: [] })
  expect(fake.requests).toEqual([])
})
