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

describe('whoever was expelled', () => {
  test('neither publishes nor plays with a ticket from before', async () => {
    const wish = wished()
    const { room, participant } = wish
    await disconnectParticipant(room, participant)
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
    await expect(playStream(wish, seconds())).rejects.toEqual(forbidden)
    expect(plane.requests).toEqual([{ op: 'disconnect', room, participant, isPublishingOnly: false, stream: null }])
    expect(await publishStream(wish, seconds() + 1)).toMatchObject({ resource: 'made' })
    expect(await playStream({ ...wish, participant: newId() }, seconds())).toMatchObject({ resource: 'made' })
  })

  test('from the stage goes on playing, and from one stream publishes the others', async () => {
    const wish = wished()
    await disconnectParticipant(wish.room, wish.participant, { isPublishingOnly: true, stream: 'camera' })
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
    expect(await publishStream({ ...wish, stream: 'screen' }, seconds())).toMatchObject({ resource: 'made' })
    expect(await playStream(wish, seconds())).toMatchObject({ resource: 'made' })
  })

  test('while the offer was being answered is ended', async () => {
    const wish = wished()
    plane.beforeResponse = ({ op }) => op === 'publish' && void disconnectParticipant(wish.room, wish.participant)
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
    expect(plane.requests.map(({ op }) => op)).toEqual(['publish', 'disconnect', 'endSession'])
  })

  test('while no child ran is kept out of the next', async () => {
    const wish = wished()
    plane.isRunning = false
    expect(await disconnectParticipant(wish.room, wish.participant)).toBe(0)
    plane.isRunning = true
    await expect(publishStream(wish, seconds())).rejects.toEqual(forbidden)
  })
})

test('an expulsion is forgotten when no ticket from before lives any more', () => {
  const expelled = createRevocationList()
  const [one, other] = [wished(), wished()]
  const isOut = () => expelled.isRevoked({ ...one, direction: 'publish' }, 0)
  expelled.revoke(one, {}, 1000)
  expelled.revoke(other, {}, 15 * 60_000)
  expect(isOut()).toBe(true)
  expelled.revoke(other, {}, 16 * 60_000)
  expect(isOut()).toBe(false)
})
