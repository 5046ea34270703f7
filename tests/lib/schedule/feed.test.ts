import { sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import { beforeEach, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { readItemFile } from '#lib/schedule/calendar-entry.ts'
import { readFeed, renewFeed, revokeFeed } from '#lib/schedule/feed/feed.ts'
import { saveScheduleNote } from '#lib/schedule/note.ts'
import { createEvent } from '../../setup/schedule.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const DAY = 86_400_000
let home: TestTenant
let owner: Actor
let startAt: Date
let workshopId: string
beforeEach(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
  startAt = new Date(Math.ceil(Date.now() / DAY) * DAY + 3 * DAY + 17 * 3_600_000)
  workshopId = await createEvent(owner, 'Ефір; «перший», новий', startAt)
})

const tokenOf = async (actor: Actor) => /ical\/([\w-]+)\.ics$/.exec((await renewFeed(actor)).href)?.[1] ?? ''
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)

/** Events of a file, read by an independent library that uses only the zones of the file. */
function read(text: string | null) {
  const calendar = new ICAL.Component(ICAL.parse(text ?? ''))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone))
  }
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    const status = component.getFirstPropertyValue('status')
    return { uid: event.uid, title: event.summary, sequence: event.sequence, start: event.startDate.toJSDate(), status }
  })
  ICAL.TimezoneService.reset()
  return events
}

test('a feed contains the schedule of its member, in the zone of the member', async () => {
  const token = await tokenOf(owner)
  const { text, etag } = await readFeed(token, null)
  expect(read(text)).toEqual([
    {
      uid: expect.stringContaining(`webinar-${workshopId}@`),
      title: 'Ефір; «перший», новий',
      sequence: 0,
      start: startAt,
      status: 'CONFIRMED',
    },
  ])
  expect(text).toContain('TZID:Europe/Kyiv')
  expect(text).toContain('BEGIN:VTIMEZONE')
  expect(etag).toMatch(/^[\w-]{32}$/)
})

test('a request with the current ETag gets no content, before and after the items are read again', async () => {
  const token = await tokenOf(owner)
  const { etag } = await readFeed(token, null)
  expect(await readFeed(token, `W/"${etag}"`)).toEqual({ etag, text: null })
  expect(await readFeed(token, `"${etag}"`, later(6))).toEqual({ etag, text: null })
})

test('a moved event has the same UID and a higher sequence, and a deleted one is canceled', async () => {
  const token = await tokenOf(owner)
  const first = await readFeed(token, null)
  const [before] = read(first.text)
  const change = (set: ReturnType<typeof sql>) =>
    inTenant(owner, (tx) => tx.execute(sql`update workshop set ${set} where id = ${workshopId}`))
  await change(sql`start_at = start_at + interval '1 day', schedule_version = schedule_version + 1`)
  const second = await readFeed(token, first.etag, later(6))
  const [moved] = read(second.text)
  expect(moved).toMatchObject({ uid: before?.uid, sequence: 1, start: new Date(startAt.getTime() + DAY) })
  await change(sql`deleted_at = now()`)
  const third = await readFeed(token, second.etag, later(12))
  expect(read(third.text)).toMatchObject([{ uid: before?.uid, sequence: 2, status: 'CANCELLED' }])
  await change(sql`deleted_at = null`)
  expect(read((await readFeed(token, null, later(18))).text)).toMatchObject([{ sequence: 3, status: 'CONFIRMED' }])
})

test('a new address ends the previous one, and a revoked one is not found', async () => {
  const token = await tokenOf(owner)
  const renewed = await tokenOf(owner)
  expect(renewed).not.toBe(token)
  await expect(readFeed(token, null)).rejects.toMatchObject({ code: 'not_found' })
  expect((await readFeed(renewed, null)).text).toContain('BEGIN:VCALENDAR')
  await revokeFeed(owner)
  await revokeFeed(owner)
  await expect(readFeed(renewed, null)).rejects.toMatchObject({ code: 'not_found' })
})

test('guessed tokens, tokens of another school and of blocked members are not found', async () => {
  const other = await createOtherTenant()
  const token = await tokenOf(home.as.PRESENTER)
  const foreign = Buffer.from(token, 'base64url')
  Buffer.from(other.tenant.id.replaceAll('-', ''), 'hex').copy(foreign)
  for (const guess of ['', 'x'.repeat(54), foreign.toString('base64url'), `${token}x`]) {
    await expect(readFeed(guess, null)).rejects.toMatchObject({ code: 'not_found' })
  }
  await inTenant(owner, (tx) =>
    tx.execute(sql`update membership set blocked_at = now() where id = ${home.as.PRESENTER.membershipId}`),
  )
  await expect(readFeed(token, null)).rejects.toMatchObject({ code: 'not_found' })
})

test('a feed has the items of its member only', async () => {
  const note = { title: 'Моє', text: '', startAt: startAt.toISOString(), minutes: null, version: null }
  await saveScheduleNote(home.as.MEMBER, { noteId: newId(), ...note })
  const { text } = await readFeed(await tokenOf(home.as.MEMBER), null)
  expect(read(text).map(({ title }) => title)).toEqual(['Моє'])
})

test('the file of an item has the UID of the feed', async () => {
  const [inFeed] = read((await readFeed(await tokenOf(owner), null)).text)
  const day = startAt.toISOString().slice(0, 10)
  const [inFile] = read(await readItemFile(owner, { day, kind: 'webinar', id: workshopId }))
  expect(inFile).toEqual(inFeed)
  const key = { day, kind: 'webinar' as const, id: workshopId }
  await expect(readItemFile(home.as.MODERATOR, key)).rejects.toMatchObject({ code: 'not_found' })
})
