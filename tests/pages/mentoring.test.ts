import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { localDay } from '#lib/core/shared/time-zone.ts'
import { getAvailability } from '#lib/mentoring/availability/availability.ts'
import { bookSession, holdSlot } from '#lib/mentoring/booking/booking.ts'
import { getBookingPage } from '#lib/mentoring/booking/read-booking.ts'
import { createMentoring, type Mentoring } from '../setup/mentoring.ts'
import { type PageModules, renderPage } from '../setup/render-page.ts'

const pages = import.meta.glob('../../src/pages/mentoring/**/[a-z\\[]*.astro') as Record<
  string,
  () => Promise<PageModules[string]>
>

const DASHBOARD = import.meta.glob<PageModules[string]>('../../src/pages/index.astro', { eager: true })

let school: Mentoring
let bookingId: string
beforeAll(async () => {
  school = await createMentoring()
  const { programId, mentor, student } = school
  const { slots } = await getBookingPage(student, { programId, mentorId: mentor.membershipId })
  bookingId = newId()
  const startAt = new Date(slots[0]?.startAt ?? 0)
  await holdSlot(student, { programId, bookingId, mentorId: mentor.membershipId, startAt })
  await bookSession(student, { bookingId, answers: {} })
}, 60_000)

async function open(
  actor: Actor,
  file: string,
  path: string,
  body?: Record<string, string>,
  locale: 'uk' | 'en' = 'uk',
) {
  const loadPage = pages[`../../src/pages/mentoring/${file}.astro`]
  if (!loadPage) throw new Error(`there is no page ${file}`)
  return renderPage(await loadPage(), { path, actor, body, locale, params: { id: school.programId } })
}

test('the dashboard of a mentor shows the next sessions, requested ones too, and that of others none', async () => {
  const { mentor, home } = school
  const show = async (actor: Actor) =>
    (await renderPage(DASHBOARD['../../src/pages/index.astro'], { path: '/', actor })).html
  const html = await show(mentor)
  expect(html).toContain('Найближчі зустрічі')
  expect(html).toContain(`href="/mentoring?booking=${bookingId}"`)
  expect(html).not.toContain('Ви в команді')
  expect(await show(home.as.EXPERT)).not.toContain('Найближчі зустрічі')
})

test.each(['uk', 'en'] as const)(
  'every page is rendered for staff, mentors and students in %s',
  async (locale) => {
    const { home, mentor, student, second, programId } = school
    const views = [
      '',
      '?view=programs',
      '?view=programs&list=archived',
      '?view=hours',
      '?view=statistics',
      `?booking=${bookingId}`,
    ]
    for (const view of views) {
      for (const actor of [home.as.OWNER, mentor]) {
        const { status, html } = await open(actor, 'index', `/mentoring${view}`, undefined, locale)
        expect(status).toBe(200)
        expect(html).not.toMatch(/mentoring:|\{\{/)
      }
    }
    for (const path of ['/mentoring', `/mentoring?booking=${bookingId}`]) {
      expect((await open(student, 'index', path, undefined, locale)).html).toContain('Портфоліо дизайнера')
    }
    for (const tab of ['', '?tab=students']) {
      const { html } = await open(
        home.as.OWNER,
        'program/[id]',
        `/mentoring/program/${programId}${tab}`,
        undefined,
        locale,
      )
      expect(html).toContain('Портфоліо дизайнера')
    }
    const booking = `/mentoring/program/booking/${programId}`
    expect((await open(second, 'program/booking/[id]', booking, undefined, locale)).html).toContain('name="startAt"')
    const moving = await open(student, 'program/booking/[id]', `${booking}?move=${bookingId}`, undefined, locale)
    expect(moving.html).toContain('value="move"')
  },
  60_000,
)

test('the forms of a mentor keep what was typed when it is refused, and save it otherwise', async () => {
  const { mentor } = school
  const refused = await open(mentor, 'index', '/mentoring?view=hours', {
    intent: 'saveHours',
    version: '1',
    timeZone: 'Europe/Kyiv',
    'cell0.20': 'on',
    override0Date: '2027-03-01',
    override0Ranges: 'вранці',
  })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('вранці')
  expect(refused.html).toContain('Запишіть години так')
  const saved = await open(mentor, 'index', '/mentoring?view=hours', {
    intent: 'saveHours',
    version: '1',
    timeZone: 'America/New_York',
    'cell0.20': 'on',
    'cell0.21': 'on',
    override0Date: '2027-03-01',
    override0Ranges: '10:00–13:00, 15:00-17:30',
  })
  expect(saved.to).toBe('/mentoring?view=hours&notice=saved')
  expect(await getAvailability(mentor)).toMatchObject({
    timeZone: 'America/New_York',
    weekly: [[{ from: 600, to: 660 }], [], [], [], [], [], []],
    overrides: [
      {
        date: '2027-03-01',
        ranges: [
          { from: 600, to: 780 },
          { from: 900, to: 1050 },
        ],
      },
    ],
  })
  const notes = await open(mentor, 'index', `/mentoring?booking=${bookingId}`, {
    intent: 'saveNotes',
    bookingId,
    version: '1',
    sharedNotes: 'Обговорили структуру',
    homework: 'Записати вступ',
    goal0Text: 'Говорити повільніше',
  })
  expect(notes.to).toContain('notice=saved')
  const { html } = await open(school.student, 'index', `/mentoring?booking=${bookingId}`)
  for (const text of ['Обговорили структуру', 'Записати вступ', 'Говорити повільніше']) expect(html).toContain(text)
})

test('a day without free times leads to the next day that has some', async () => {
  const { third, programId, mentor } = school
  const path = `/mentoring/program/booking/${programId}?mentor=${mentor.membershipId}`
  const { slots } = await getBookingPage(third, { programId, mentorId: mentor.membershipId })
  const free = new Set(slots.map(({ startAt }) => localDay(new Date(startAt), third.timeZone)))
  const days = Array.from({ length: 20 }, (_, index) => localDay(new Date(), third.timeZone, index + 2))
  const full = days.find((day) => !free.has(day)) ?? ''
  const next = days.find((day) => day > full && free.has(day))
  const { html } = await open(third, 'program/booking/[id]', `${path}&day=${full}`)
  expect(html).toContain('Цього дня вільного часу немає')
  expect(html).toMatch(new RegExp(`href="[^"]*day=${next}[^"]*"[^>]*>[^<]*[Нн]айближч`))
})

test('a student joins the waitlist for a day and hours, sees the period, and leaves it', async () => {
  const { third, programId } = school
  const path = `/mentoring/program/booking/${programId}`
  const address = `${path}?mentor=${school.mentor.membershipId}`
  const typed = { intent: 'joinWaitlist', wantedDay: '', wantedFrom: '10:00', wantedTo: '' }
  const refused = await open(third, 'program/booking/[id]', address, typed)
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('value="10:00"')
  const wantedDay = localDay(new Date(), third.timeZone, 10)
  const early = await open(third, 'program/booking/[id]', address, { ...typed, wantedDay, wantedTo: '9:00' })
  expect(early.html).toContain('Кінець має бути пізніше за початок')
  const joined = await open(third, 'program/booking/[id]', address, { ...typed, wantedDay, wantedTo: '12:30' })
  expect(joined.to).toBe(`${path}?notice=waiting`)
  const shown = await open(third, 'program/booking/[id]', address)
  expect(shown.html).toContain('10:00–12:30')
  const left = await open(third, 'program/booking/[id]', address, { intent: 'leaveWaitlist' })
  expect(left.to).toBe(`${path}?notice=waitlistLeft`)
  expect((await open(third, 'program/booking/[id]', address)).html).toContain('Жоден час не підходить?')
})

test('statistics are of all time or of a chosen period', async () => {
  const all = await open(school.mentor, 'index', '/mentoring?view=statistics')
  expect(all.html).toContain('Останні 90 днів')
  expect((await open(school.mentor, 'index', '/mentoring?view=statistics&period=7')).status).toBe(200)
  const period = await open(school.mentor, 'index', '/mentoring?view=statistics&period=90')
  expect(period.html).toContain('<option value="90" selected')
})

test('in a session in the room mentor and student agree to the recording, notes are kept as drafts, slides are posted', async () => {
  const { mentor, student } = school
  const path = `/mentoring?booking=${bookingId}`
  await inTenant(mentor, async (tx) => {
    await tx.execute(sql`update mentor_program set place = 'room', place_text = ''`)
    await tx.execute(sql`update mentor_session set start_at = now(), end_at = now() + interval '1 hour',
      busy_from = now(), busy_to = now() + interval '1 hour'`)
  })
  const shown = await open(mentor, 'index', path)
  for (const name of ['notes', 'private'])
    expect(shown.html).toContain(`data-draft-key="mentoring-${name}/${bookingId}"`)
  expect(shown.html).toContain('value="showSlides"')
  const withoutFile = await open(mentor, 'index', path, { intent: 'showSlides', bookingId })
  expect(withoutFile.status).toBe(400)
  expect(withoutFile.html).toContain('id="field-file-error"')
  expect((await open(student, 'index', path)).html).not.toMatch(/showSlides|mentoring-private/)
  for (const actor of [mentor, student]) {
    expect((await open(actor, 'index', path, { intent: 'agreeToRecording', bookingId })).to).toContain('notice=agreed')
  }
  expect((await open(student, 'index', path)).html).toContain('Усі згодні')
  const withdrawn = await open(student, 'index', path, { intent: 'withdrawRecording', bookingId })
  expect(withdrawn.to).toContain('notice=withdrawn')
  expect((await open(mentor, 'index', path)).html).toContain('Чекаємо на згоду інших')
})
