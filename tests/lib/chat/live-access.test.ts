import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { handleLiveRequest } from '#lib/core/live/endpoint.ts'
import { closeAllStreams, countStreams } from '#lib/core/live/hub.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeAccess } from '#lib/course/access/change-access.ts'
import { setStaff } from '#lib/course/staff.ts'
import { channels } from '#lib/live.ts'
import { chatCourse, start } from '../../setup/chat/conversations.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let courseId: string
let conversationId: string
beforeEach(async () => {
  home = await createTestTenant()
  courseId = (await chatCourse(home)).courseId
  conversationId = await start(home.as.CURATOR, { kind: 'course', courseId })
})
afterAll(() => closeAllStreams())

const code = (name: string) => expect.objectContaining({ code: name })

/** Opens the stream of the conversation; `ended` tells whether the server has closed it. */
async function open(actor: Actor): Promise<{ ended: boolean }> {
  const state = { ended: false }
  const request = new Request(`http://school.test/v1/live?channels=conversation:${conversationId}`)
  const reader = (await handleLiveRequest(request, actor, channels)).body?.getReader()
  const before = countStreams().streams
  const read = async () => {
    while (!(await reader?.read())?.done);
    state.ended = true
  }
  void read()
  await vi.waitFor(() => expect(countStreams().streams).toBe(before + 1))
  return state
}

test('the stream of a student ends with the revoked access, the ones of others stay', async () => {
  const { STUDENT, CURATOR, OWNER } = home.as
  const [student, curator] = [await open(STUDENT), await open(CURATOR)]
  const target = { studentIds: [STUDENT.membershipId] }
  await changeAccess(OWNER, { courseId, target, change: { action: 'revoke' }, note: '' })
  await vi.waitFor(() => expect(student.ended).toBe(true), 5000)
  expect(curator.ended).toBe(false)
  await expect(open(STUDENT)).rejects.toEqual(code('not_found'))
  await setStaff(OWNER, { courseId, staff: [] })
  await vi.waitFor(() => expect(curator.ended).toBe(true), 5000)
  await expect(open(CURATOR)).rejects.toEqual(code('not_found'))
})

test('the permission of a student ends with the last grant', async () => {
  const { STUDENT, CURATOR } = home.as
  const until = async (actor: Actor) => (await channels.conversation?.canSubscribe(actor, [conversationId]))?.until
  expect([await until(STUDENT), await until(CURATOR)]).toEqual([null, null])
  await inTenant(STUDENT, (tx) => tx.execute(`update access_grant set ends_at = '2031-05-01T10:00:00Z'`))
  expect(await until(STUDENT)).toEqual(new Date('2031-05-01T10:00:00Z'))
})
