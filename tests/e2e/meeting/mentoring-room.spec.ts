import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { callApi, openPageAs } from '../support/homework.ts'
import { closeContexts, enterStage, expectFrames, expectSound, WITH_DEVICES, waitForRoom } from '../support/meeting.ts'
import { addressOf, expect, expectAccessible, STUDENT, staffEmail, test } from '../support/test.ts'

test.use(WITH_DEVICES)
test.setTimeout(240_000)

interface Program {
  version: number
  settings: Record<string, unknown>
  mentors: { memberId: string }[]
}

interface MentorOverview {
  upcoming: { items: { id: string; title: string }[] }
}

const TITLE = 'Зустрічі найближчим часом'
/** The room of a session opens ten minutes before it. */
const ROOM_OPENS_MS = 10 * 60_000
/** Time for the booking itself: a session that has begun cannot be booked. */
const BOOKING_MS = 2 * 60_000

/** A program whose sessions begin every five minutes, at all times of the day. */
async function publishProgram(owner: Page, mentor: Page): Promise<string> {
  await mentor.goto(addressOf('demo', '/mentoring'))
  const { version } = await callApi<{ version: number }>(mentor, 'mentoring/getAvailability')
  const weekly = Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }])
  // No session passes midnight, so the next one could begin too late there: it is daytime in this zone.
  const timeZone = new Date().getUTCHours() < 12 ? 'Europe/Kyiv' : 'America/New_York'
  await callApi(mentor, 'mentoring/saveAvailability', { timeZone, weekly, version })
  // The session of an earlier try takes the times that begin soon.
  const { upcoming } = await callApi<MentorOverview>(mentor, 'mentoring/getMentorOverview')
  for (const { id: bookingId } of upcoming.items.filter(({ title }) => title.startsWith(TITLE))) {
    await callApi(mentor, 'mentoring/cancelBooking', { bookingId, reason: 'Нова спроба' })
  }
  await owner.goto(addressOf('demo', '/mentoring?view=programs'))
  const { items: programs } = await callApi<{ items: { id: string; title: string }[] }>(owner, 'mentoring/listPrograms')
  const known = programs.find(({ title }) => title === 'Розбір вашого виступу')?.id ?? ''
  const { mentors } = await callApi<Program>(owner, 'mentoring/getProgram', { programId: known })
  const { items: students } = await callApi<{ items: { studentId: string; email: string }[] }>(
    owner,
    'mentoring/listEnrolments',
    { programId: known },
  )
  const studentIds = students.filter(({ email }) => email === STUDENT).map(({ studentId }) => studentId)
  const programId = randomUUID()
  const title = `${TITLE} ${Date.now()}`
  await callApi(owner, 'mentoring/createProgram', { programId, title })
  const settings = {
    title,
    mentorIds: mentors.map(({ memberId }) => memberId),
    place: 'room',
    sessionMinutes: 15,
    minNoticeHours: 0,
    slotStepMinutes: 5,
  }
  await callApi(owner, 'mentoring/saveProgram', { programId, version: 1, settings })
  await callApi(owner, 'mentoring/changeProgramStatus', { programId, action: 'publish' })
  await callApi(owner, 'mentoring/enrolStudents', { programId, studentIds, sessionsTotal: 2 })
  return programId
}

/** The first time that can be booked without haste and whose room is open. */
async function chooseTime(student: Page): Promise<void> {
  const times = student.locator('button[name="startAt"]')
  const startsIn = (value: string) => Date.parse(value) - Date.now()
  const values = await times.evaluateAll((buttons: HTMLButtonElement[]) => buttons.map(({ value }) => value))
  const chosen = values.find((value) => startsIn(value) > BOOKING_MS)
  if (!chosen || startsIn(chosen) > ROOM_OPENS_MS) throw new Error(`no session begins soon: ${values[0]}`)
  await times.nth(values.indexOf(chosen)).click()
}

test('a student books a session, both meet in its room with camera, sound and chat, and the notes persist', async ({
  page,
}) => {
  const owner = await openPageAs(page, staffEmail('owner'))
  const mentor = await openPageAs(page, staffEmail('mentor'))
  const student = await openPageAs(page, STUDENT)
  const programId = await publishProgram(owner, mentor)

  await student.goto(addressOf('go', `/mentoring/program/booking/${programId}`))
  await chooseTime(student)
  await student.getByRole('button', { name: 'Забронювати' }).click()
  await student.waitForURL(/booking=/)
  const bookingId = new URL(student.url()).searchParams.get('booking') ?? ''
  await expect(student.getByRole('link', { name: 'Увійти до кімнати' })).toBeVisible()
  await expectAccessible(student)

  await student.getByRole('link', { name: 'Увійти до кімнати' }).click()
  await mentor.goto(addressOf('demo', `/mentoring?booking=${bookingId}`))
  await mentor.getByRole('link', { name: 'Увійти до кімнати' }).click()
  for (const person of [student, mentor]) {
    await waitForRoom(person)
    await expect(person.locator('[data-room]')).toHaveAttribute('data-phase', 'live')
    await enterStage(person)
  }
  for (const person of [student, mentor]) {
    await expectFrames(person)
    await expectSound(person)
  }
  // Consent to the recording is asked in the room: the student agrees to what the mentor proposes.
  await mentor.getByRole('button', { name: 'Запропонувати запис' }).click()
  await expect(student.locator('[data-consent="asked"]')).toContainText('пропонує записати сесію')
  await student.getByRole('button', { name: 'Погодитися на запис' }).click()
  await expect(mentor.locator('[data-consent="recorded"]')).toBeVisible()
  await expectAccessible(student)
  await expect(student.getByRole('button', { name: 'Завершити' })).toHaveCount(0)
  await expect(student.getByRole('tab')).toHaveText([/Чат/, /Люди/])
  await student.getByLabel('Повідомлення', { exact: true }).fill('Мене чути?')
  await student.keyboard.press('Enter')
  await expect(mentor.getByText('Мене чути?')).toBeVisible()

  await mentor.goto(addressOf('demo', `/mentoring?booking=${bookingId}`))
  await mentor.getByLabel('Спільні нотатки').fill('Домовилися про вступ.')
  await mentor.getByRole('button', { name: 'Зберегти', exact: true }).first().click()
  await expect(mentor.getByRole('status').filter({ hasText: 'Збережено.' })).toBeVisible()
  await student.goto(addressOf('go', `/mentoring?booking=${bookingId}`))
  await expect(student.getByText('Домовилися про вступ.')).toBeVisible()

  // The owner sees the booking, but is not admitted to the room.
  const refused = await owner.goto(addressOf('demo', `/mentoring?booking=${bookingId}&room=open`))
  expect(refused?.url()).not.toContain('room=open')
  await closeContexts(owner.context(), mentor.context(), student.context())
})
