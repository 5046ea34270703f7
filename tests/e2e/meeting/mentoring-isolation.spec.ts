import { callApi, openPageAs } from '../support/homework.ts'
import { addressOf, expect, STUDENT, staffEmail, test } from '../support/test.ts'

test('a student of another school neither opens the page of a program nor books, holds or waits for a time', async ({
  page,
}) => {
  const owner = await openPageAs(page, staffEmail('owner'))
  await owner.goto(addressOf('demo', '/mentoring?view=programs'))
  const { items: programs } = await callApi<{ items: { id: string; title: string }[] }>(owner, 'mentoring/listPrograms')
  const programId = programs.find(({ title }) => title === 'Розбір вашого виступу')?.id ?? ''
  const own = await openPageAs(page, STUDENT)
  const path = `/mentoring/program/booking/${programId}`
  expect((await own.goto(addressOf('go', path)))?.status()).toBe(200)
  const { mentors } = await callApi<{ mentors: { memberId: string }[] }>(own, 'mentoring/getBookingOptions', {
    programId,
  })

  const stranger = await openPageAs(page, 'student@sonata.test')
  const refused = await stranger.goto(addressOf('go', path))
  expect(refused?.status()).toBe(404)
  await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(stranger.locator('button[name="startAt"]')).toHaveCount(0)
  const hold = {
    programId,
    bookingId: crypto.randomUUID(),
    mentorId: mentors[0]?.memberId ?? null,
    startAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
  }
  for (const [call, input] of [
    ['mentoring/getBookingOptions', { programId }],
    ['mentoring/holdSlot', hold],
    ['mentoring/joinWaitlist', { programId }],
  ] as const) {
    await expect(callApi(stranger, call, { ...input })).rejects.toThrow('not_found')
  }
  for (const person of [owner, own, stranger]) await person.context().close()
})
