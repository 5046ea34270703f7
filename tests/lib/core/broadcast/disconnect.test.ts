import { beforeEach, describe, expect, test } from 'vitest'
import { disconnectParticipant, playStream, publishStream } from '#lib/core/broadcast/broadcast.ts'
import { createRevocationList } from '#lib/core/broadcast/revocation-list.ts'
import { newId } from '#lib/core/db/id.ts'
import { type FakeMediaProcess, installFakeMediaProcess } from '../../../setup/media/fake-media-process.ts'

let plane: FakeMediaProcess
beforeEach(() => {
  plane = installFakeMediaProcess()
})

const forbidden = expect.objectContaining({ code: 'forbidden' })
const seconds = () => Math.floor(Date.now() / 1000)
const wished = (stream = 'camera') => ({ room: newId(), stream, participant: newId(), sdp: 'v=0' })

describe('a disconnected participant', () => {
  test('neither publishes nor plays with an earlier token', async () => {
    const wish = wished()
    const { room, participant } = wish
    await disconnectParticipant(room, participant)
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
    await expect(playStream(wish, seconds())).rejects.toEqual(forbidden)
    expect(plane.requests).toEqual([{ op: 'disconnect', room, participant, isPublishingOnly: false, stream: null }])
    expect(await publishStream(wish, seconds() + 1)).toMatchObject({ resource: 'made' })
    expect(await playStream({ ...wish, participant: newId() }, seconds())).toMatchObject({ resource: 'made' })
  })

  test('keeps playing when only publishing was revoked, and keeps other streams', async () => {
    const wish = wished()
    await disconnectParticipant(wish.room, wish.participant, { isPublishingOnly: true, stream: 'camera' })
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
    expect(await publishStream({ ...wish, stream: 'screen' }, seconds())).toMatchObject({ resource: 'made' })
    expect(await playStream(wish, seconds())).toMatchObject({ resource: 'made' })
  })

  test('is refused while the offer is being answered', async () => {
    const wish = wished()
    plane.beforeResponse = ({ op }) => op === 'publish' && void disconnectParticipant(wish.room, wish.participant)
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
    expect(plane.requests.map(({ op }) => op)).toEqual(['publish', 'disconnect', 'endSession'])
  })

  test('is refused by a media process that starts later', async () => {
    const wish = wished()
    plane.isRunning = false
    expect(await disconnectParticipant(wish.room, wish.participant)).toBe(0)
    plane.isRunning = true
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
  })
})

test('a revocation is removed when all earlier tokens have expired', () => {
  const expelled = createRevocationList()
  const [first, other] = [wished(), wished()]
  const isOut = () => expelled.isRevoked({ ...first, direction: 'publish' }, 0)
  expelled.revoke(first, {}, 1000)
  expelled.revoke(other, {}, 15 * 60_000)
  expect(isOut()).toBe(true)
  expelled.revoke(other, {}, 16 * 60_000)
  expect(isOut()).toBe(false)
})
