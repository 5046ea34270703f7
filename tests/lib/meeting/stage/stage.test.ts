import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { ROOM_ROLES, type RoomRole } from '#lib/core/shared/event/live-event.ts'
import { signSeatToken } from '#lib/meeting/admission/seat.ts'
import { captionSound } from '#lib/meeting/stage/captions.ts'
import { readStagePlace } from '#lib/meeting/stage/log.ts'
import { canActOnStage, STAGE_ACTIONS, type StageAction, type StagePlace } from '#lib/meeting/stage/rules.ts'
import {
  answerInvite,
  goOffAir,
  goOnAir,
  inviteToStage,
  listHands,
  publishCaption,
  raiseHand,
  removeStreams,
} from '#lib/meeting/stage/stage.ts'
import { appendEvents, readEvents } from '#lib/workshop/session/event-log.ts'
import { workshopParticipant } from '#lib/workshop/session/event-table.ts'
import { saveSettings } from '#lib/workshop/settings/save.ts'
import { workshopSession } from '#lib/workshop/table.ts'
import { installFakeMediaProcess } from '../../../setup/media/fake-media-process.ts'
import { createWorkshop } from '../../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const refused = (code: string) => expect.objectContaining({ code })

/** Permitted actions without an invitation; `answer` and a viewer's `publish` require an invitation. */
const MAY: Record<RoomRole, readonly StageAction[]> = {
  host: ['publish', 'takeOff', 'invite', 'caption', 'listen', 'seeHands'],
  speaker: ['publish', 'takeOff', 'invite', 'caption', 'listen', 'seeHands'],
  moderator: ['takeOff', 'invite', 'caption', 'seeHands'],
  viewer: ['raiseHand'],
  student: ['publish'],
}

describe('permissions on stage', () => {
  test.each(ROOM_ROLES)('%s', (role) => {
    const may = STAGE_ACTIONS.filter((action) => canActOnStage({ role, place: 'off' }, action).allow)
    expect(may.sort()).toEqual([...MAY[role]].sort())
  })

  test.each([
    ['off', false, false],
    ['invited', false, true],
    ['on', true, false],
  ] as const)('a viewer who is %s', (place: StagePlace, publish, answer) => {
    expect(canActOnStage({ role: 'viewer', place }, 'publish').allow).toBe(publish)
    expect(canActOnStage({ role: 'viewer', place }, 'answer').allow).toBe(answer)
  })
})

let ours: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
})

async function room(school = ours) {
  const tenantId = school.tenant.id
  const made = await createWorkshop(school.as.OWNER, { type: 'webinar', title: 'Ефір', timeZone: 'Europe/Kyiv' })
  const { workshopId, sessionId } = { workshopId: made.workshopId, sessionId: made.sessionId ?? '' }
  const sit = async (role: RoomRole, name: string = role) => {
    const personId = newId()
    const kind = role === 'viewer' ? ('guest' as const) : ('staff' as const)
    await inTenant({ tenantId }, (tx) =>
      tx.insert(workshopParticipant).values({ tenantId, id: personId, sessionId, workshopId, kind, role, name }),
    )
    return { personId, seatToken: signSeatToken({ tenantId, sessionId, personId }) }
  }
  const onAir = () =>
    inTenant({ tenantId }, async (tx) => {
      const [row] = await tx.select({ state: workshopSession.state }).from(workshopSession)
      const all = await tx.select({ id: workshopSession.id, state: workshopSession.state }).from(workshopSession)
      return (all.find(({ id }) => id === sessionId) ?? row)?.state.onAir.map(({ stream }) => stream)
    })
  const log = (reader: 'staff' | { personId: string } = 'staff') =>
    inTenant({ tenantId }, (tx) => readEvents(tx, sessionId, { reader }))
  const writeEntry = (type: 'webinar.start' | 'webinar.finish') =>
    inTenant({ tenantId }, (tx) => appendEvents(tx, { tenantId, id: sessionId }, [{ type, payload: {} }]))
  return { tenantId, workshopId, sessionId, sit, onAir, log, writeEntry }
}

const camera = (seatToken: string, microphone = true) =>
  goOnAir({ seatToken, kind: 'camera', microphone, camera: true })

describe('publishing', () => {
  test('shows a stream to everybody, once however often it is announced', async () => {
    const { sit, onAir, log } = await room()
    const host = await sit('host', 'Олена')
    await camera(host.seatToken)
    await camera(host.seatToken)
    expect(await onAir()).toEqual([`${host.personId}-camera`])
    await camera(host.seatToken, false)
    const changes = (await log({ personId: newId() })).filter(({ type }) => type === 'broadcast.change')
    expect(changes.map(({ payload }) => payload)).toMatchObject([
      { onAir: [{ name: 'Олена', microphone: true }] },
      { onAir: [{ microphone: false }] },
    ])
  })

  test('loses no stream when several start at once', async () => {
    const { sit, onAir } = await room()
    const people = await Promise.all([sit('host'), sit('speaker'), sit('speaker')])
    await Promise.all(people.map(({ seatToken }) => camera(seatToken)))
    expect((await onAir())?.sort()).toEqual(people.map(({ personId }) => `${personId}-camera`).sort())
  })

  test('is refused to viewers and moderators, and after the end', async () => {
    const { sit, writeEntry } = await room()
    for (const role of ['viewer', 'moderator'] as const) {
      await expect(camera((await sit(role)).seatToken)).rejects.toEqual(refused('forbidden'))
    }
    const host = await sit('host')
    await writeEntry('webinar.start')
    await writeEntry('webinar.finish')
    await expect(camera(host.seatToken)).rejects.toEqual(refused('conflict'))
  })

  test('ends with one stream, with all streams, or on disconnection', async () => {
    const { sit, onAir, tenantId, sessionId } = await room()
    const host = await sit('host')
    await camera(host.seatToken)
    await goOnAir({ seatToken: host.seatToken, kind: 'screen', microphone: false, camera: true })
    await goOffAir({ seatToken: host.seatToken, kind: 'screen' })
    expect(await onAir()).toEqual([`${host.personId}-camera`])
    await inTenant({ tenantId }, (tx) => removeStreams(tx, { tenantId, sessionId }, host.personId))
    await inTenant({ tenantId }, (tx) => removeStreams(tx, { tenantId, sessionId }, host.personId))
    expect(await onAir()).toEqual([])
  })

  test('can be ended by staff and not by a viewer', async () => {
    const { sit, onAir } = await room()
    const [speaker, moderator, viewer] = [await sit('speaker'), await sit('moderator'), await sit('viewer')]
    await camera(speaker.seatToken)
    const { personId } = speaker
    await expect(goOffAir({ seatToken: viewer.seatToken, personId })).rejects.toEqual(refused('forbidden'))
    await goOffAir({ seatToken: moderator.seatToken, personId })
    expect(await onAir()).toEqual([])
  })
})

describe('the media of a participant', () => {
  const part = { op: 'disconnect', isPublishingOnly: true, stream: null }

  test('end when staff take them off stage, and not when they leave themselves', async () => {
    const { sit, sessionId } = await room()
    const [speaker, moderator] = [await sit('speaker'), await sit('moderator')]
    const { personId } = speaker
    await camera(speaker.seatToken)
    const plane = installFakeMediaProcess()
    await goOffAir({ seatToken: speaker.seatToken, kind: 'camera' })
    expect(plane.requests).toEqual([])
    await goOffAir({ seatToken: moderator.seatToken, personId })
    await goOffAir({ seatToken: moderator.seatToken, personId, kind: 'screen' })
    const expulsion = { ...part, room: sessionId, participant: personId }
    expect(plane.requests).toEqual([expulsion, { ...expulsion, stream: `${personId}-screen` }])
  })

  test('end when the invitation is withdrawn', async () => {
    const { sit, sessionId } = await room()
    const [host, { personId }] = [await sit('host'), await sit('viewer')]
    const plane = installFakeMediaProcess()
    await inviteToStage({ seatToken: host.seatToken, personId, on: true })
    expect(plane.requests).toEqual([])
    await inviteToStage({ seatToken: host.seatToken, personId, on: false })
    expect(plane.requests).toEqual([{ ...part, room: sessionId, participant: personId }])
  })
})

describe('an invitation', () => {
  test('brings a viewer with a raised hand onto the stage and back', async () => {
    const { sit, tenantId, sessionId, onAir } = await room()
    const [host, viewer] = [await sit('host'), await sit('viewer', 'Марко')]
    const { personId } = viewer
    await raiseHand({ seatToken: viewer.seatToken, on: true })
    expect(await listHands({ seatToken: host.seatToken })).toMatchObject([{ personId, name: 'Марко', stage: 'off' }])
    await expect(answerInvite({ seatToken: viewer.seatToken, accepted: true })).rejects.toEqual(refused('forbidden'))
    await inviteToStage({ seatToken: host.seatToken, personId, on: true })
    await answerInvite({ seatToken: viewer.seatToken, accepted: true })
    expect(await listHands({ seatToken: host.seatToken })).toMatchObject([{ personId, raisedAt: null, stage: 'on' }])
    expect(await inTenant({ tenantId }, (tx) => readStagePlace(tx, sessionId, personId))).toBe('on')
    await camera(viewer.seatToken)
    expect(await onAir()).toEqual([`${personId}-camera`])
    await inviteToStage({ seatToken: host.seatToken, personId, on: false })
    expect(await onAir()).toEqual([])
    await expect(camera(viewer.seatToken)).rejects.toEqual(refused('forbidden'))
    expect(await listHands({ seatToken: host.seatToken })).toEqual([])
  })

  test('is visible to its viewer and staff only', async () => {
    const { sit, log } = await room()
    const [host, viewer] = [await sit('host'), await sit('viewer')]
    await raiseHand({ seatToken: viewer.seatToken, on: true })
    await inviteToStage({ seatToken: host.seatToken, personId: viewer.personId, on: true })
    expect((await log({ personId: newId() })).map(({ type }) => type)).toEqual([])
    expect((await log({ personId: viewer.personId })).map(({ type }) => type)).toEqual(['stage.invite'])
    expect((await log()).map(({ type }) => type)).toEqual(['hand.raise', 'stage.invite'])
  })

  test('is limited to viewers of the same session', async () => {
    const { sit } = await room()
    const [host, speaker] = [await sit('host'), await sit('speaker')]
    const elsewhere = await (await room()).sit('viewer')
    const abroad = await (await room(theirs)).sit('viewer')
    for (const personId of [speaker.personId, elsewhere.personId, abroad.personId, newId()]) {
      const invitation = inviteToStage({ seatToken: host.seatToken, personId, on: true })
      await expect(invitation).rejects.toEqual(refused('not_found'))
    }
  })

  test('is issued by staff, and raised hands are visible to staff', async () => {
    const { sit } = await room()
    const [viewer, other] = [await sit('viewer'), await sit('viewer')]
    const invitation = inviteToStage({ seatToken: viewer.seatToken, personId: other.personId, on: true })
    await expect(invitation).rejects.toEqual(refused('forbidden'))
    await expect(listHands({ seatToken: viewer.seatToken })).rejects.toEqual(refused('forbidden'))
    await expect(raiseHand({ seatToken: (await sit('host')).seatToken, on: true })).rejects.toEqual(
      refused('forbidden'),
    )
  })
})

describe('captions', () => {
  test('are typed by staff and read by everybody', async () => {
    const { sit, log, tenantId, sessionId } = await room()
    await inTenant({ tenantId }, (tx) =>
      appendEvents(tx, { tenantId, id: sessionId }, [{ type: 'webinar.start', payload: {} }]),
    )
    const [moderator, viewer] = [await sit('moderator'), await sit('viewer')]
    await publishCaption({ seatToken: moderator.seatToken, text: 'Вітаю всіх', language: 'uk' })
    expect((await log({ personId: viewer.personId })).slice(1)).toMatchObject([
      { type: 'caption', payload: { text: 'Вітаю всіх', language: 'uk', final: true } },
    ])
    const captionRequest = publishCaption({ seatToken: viewer.seatToken, text: 'Я теж', language: 'uk' })
    await expect(captionRequest).rejects.toEqual(refused('forbidden'))
  })

  test('are transcribed only for an event configured so, where a language service is available', async () => {
    const { sit, workshopId } = await room()
    const { seatToken } = await sit('host')
    const sendCaptionSound = () => captionSound({ seatToken, sound: 'AAAA', type: 'audio/webm', language: 'uk' })
    await expect(sendCaptionSound()).rejects.toEqual(refused('conflict'))
    await saveSettings(ours.as.OWNER, { workshopId, settings: { captions: 'automatic' } })
    await expect(sendCaptionSound()).rejects.toEqual(refused('unprocessable'))
  })
})

test('a missing or invalid seat token permits nothing', async () => {
  for (const seatToken of ['none', 'A'.repeat(91)]) {
    await expect(camera(seatToken)).rejects.toEqual(refused('unauthorized'))
    await expect(listHands({ seatToken })).rejects.toEqual(refused('unauthorized'))
  }
})
