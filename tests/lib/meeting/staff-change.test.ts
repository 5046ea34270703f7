import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { enterMeeting } from '#lib/meeting/admission/enter.ts'
import { reconcilePresence } from '#lib/meeting/admission/presence.ts'
import { setChat } from '#lib/meeting/control.ts'
import { getRoom, listEvents } from '#lib/meeting/meeting.ts'
import { goOnAir } from '#lib/meeting/stage/stage.ts'
import { membership } from '#lib/user/table.ts'
import { ChatSettings } from '#lib/workshop/session/event-schema.ts'
import { setEventStaff } from '#lib/workshop/settings/staff.ts'
import { payloads } from '../../setup/media/live-client.ts'
import { type ChatRoom, createChatRoom } from '../../setup/meeting/chat-room.ts'
import { type RoomEndpoint, startRoomEndpoint } from '../../setup/meeting/room-endpoint.ts'
import { sendChatMessage } from '../../setup/parsed/meeting.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const chat = ChatSettings.parse({ mode: 'premod' })

let ours: TestTenant
let room: ChatRoom
let endpoint: RoomEndpoint
beforeAll(async () => {
  endpoint = await startRoomEndpoint()
})
afterAll(() => endpoint.close())
beforeEach(async () => {
  ours = await createTestTenant()
  room = await createChatRoom(ours)
})

const name = (...moderators: ('MODERATOR' | 'PRESENTER')[]) => {
  const { OWNER } = ours.as
  const staff = moderators.map((role) => ({ memberId: ours.as[role].membershipId, role: 'moderator' as const }))
  const host = { memberId: OWNER.membershipId, role: 'host' as const }
  return setEventStaff(OWNER, { workshopId: room.workshopId, staff: [host, ...staff] })
}

async function inside(who: 'MODERATOR' | 'PRESENTER') {
  const { workshopId, tenantId } = room
  const view = await enterMeeting(tenantId, { workshopId, actor: ours.as[who], locale: 'uk' })
  if (view.kind !== 'room') throw new Error(`found ${view.kind}`)
  return view.room
}

describe('a staff member in the room', () => {
  test('has the current permissions and not those at the time of joining', async () => {
    await name('MODERATOR')
    const { seatToken, me } = await inside('MODERATOR')
    expect(me.role).toBe('moderator')
    await setChat({ seatToken, chat })
    await name('PRESENTER')
    await expect(setChat({ seatToken, chat })).rejects.toEqual(code('forbidden'))
    expect((await getRoom({ seatToken })).staff).toBeNull()
    await name('MODERATOR')
    await setChat({ seatToken, chat })
  })

  test("receives a new role on the open stream, and the staff's events after it", async () => {
    const { seatToken } = await inside('PRESENTER')
    expect((await getRoom({ seatToken })).me.role).toBe('viewer')
    const before = await endpoint.ready(seatToken)
    await sendChatMessage({ seatToken, messageId: newId(), text: 'Я тут' })
    await vi.waitFor(() => expect(before.events.length).toBeGreaterThan(0), 10_000)
    const [heard] = before.events
    await name('PRESENTER')
    // The stream authorized for the former role ends; the browser resumes it or loads the missed events.
    await vi.waitFor(() => expect(before.hasEnded).toBe(true), 10_000)
    const after = await endpoint.open(seatToken, heard?.id)
    await vi.waitFor(
      () => expect([...payloads(before), ...payloads(after)]).toContainEqual({ role: 'moderator' }),
      10_000,
    )
    expect(await listEvents({ seatToken, after: 0 })).toMatchObject({ role: 'moderator' })
    const view = await getRoom({ seatToken })
    expect(view).toMatchObject({ me: { role: 'moderator' }, staff: { waiting: 0 } })
    await setChat({ seatToken, chat })
  })

  test('leaves the stage with a role that may not present and returns with one that may', async () => {
    const { OWNER, PRESENTER } = ours.as
    const assign = (role: 'speaker' | 'moderator') =>
      setEventStaff(OWNER, {
        workshopId: room.workshopId,
        staff: [
          { memberId: OWNER.membershipId, role: 'host' },
          { memberId: PRESENTER.membershipId, role },
        ],
      })
    const readLiveStreams = async () => (await getRoom({ seatToken })).state.onAir.map(({ stream }) => stream)
    await assign('speaker')
    const { seatToken, me } = await inside('PRESENTER')
    await goOnAir({ seatToken, kind: 'camera', microphone: true, camera: true })
    await reconcilePresence({ tenantId: room.tenantId, sessionId: room.id })
    expect(await readLiveStreams()).toEqual([`${me.personId}-camera`])
    await assign('moderator')
    await reconcilePresence({ tenantId: room.tenantId, sessionId: room.id })
    expect(await readLiveStreams()).toEqual([])
    expect((await getRoom({ seatToken })).media.publish).toBeNull()
    await expect(goOnAir({ seatToken, kind: 'camera', microphone: true, camera: true })).rejects.toEqual(
      code('forbidden'),
    )
    await assign('speaker')
    expect((await getRoom({ seatToken })).media.publish).not.toBeNull()
    await goOnAir({ seatToken, kind: 'camera', microphone: true, camera: true })
  })

  test('loses the seat when the school blocks the member', async () => {
    await name('MODERATOR')
    const { seatToken } = await inside('MODERATOR')
    const { membershipId } = ours.as.MODERATOR
    await inTenant(ours.as.OWNER, (tx) =>
      tx.update(membership).set({ blockedAt: new Date() }).where(eq(membership.id, membershipId)),
    )
    await expect(getRoom({ seatToken })).rejects.toEqual(code('unauthorized'))
    await expect(listEvents({ seatToken, after: 0 })).rejects.toEqual(code('unauthorized'))
  })
})
