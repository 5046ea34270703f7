import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { readCalendarFile } from '#lib/registration/calendar.ts'
import { announcePublished } from '#lib/registration/email/announcements.ts'
import { sendDueEmails } from '#lib/registration/email/due-emails.ts'
import { readInvitation } from '#lib/registration/invitation.ts'
import { requestNextEventEmail } from '#lib/registration/next-event-request.ts'
import { acceptOffer, cancelOwnRegistration, readOwnRegistration } from '#lib/registration/own-registration.ts'
import {
  approveRegistrations,
  cancelRegistrations,
  declineRegistrations,
} from '#lib/registration/registrants/decisions.ts'
import { exportRegistrations } from '#lib/registration/registrants/export.ts'
import { registerActor } from '#lib/registration/registration.ts'
import { createWebinar, listRegistrants, updateEvent, visitorAt } from '../../setup/meeting/events.ts'
import {
  addRegistration,
  editOwnRegistration,
  importRegistrations,
  listRegistrations,
  registerForEvent,
} from '../../setup/parsed/registration.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const NOW = new Date('2026-10-20T10:00:00Z')
const START = '2026-10-25T17:00:00Z'
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000)

let home: TestTenant
let theirs: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
  theirs = await createOtherTenant()
})

const person = (name: string) => ({ email: `${name}-${randomUUID().slice(0, 8)}@visitor.test`, name })
const subjects = async (email: string, at = home) =>
  (await listEmailsTo(email, at.tenant.id)).map(({ subject }) => subject.split(':')[0])

describe('registering', () => {
  test('confirms the registration and emails the link, without showing it on the page', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    const olena = person('olena')
    const done = await registerForEvent(visitorAt(home), { workshopId, ...olena, timeZone: 'Asia/Kathmandu' }, NOW)
    expect(done).toEqual({ state: 'confirmed', key: null, pass: null })
    const [letter, ...more] = await listEmailsTo(olena.email, home.tenant.id)
    expect(more).toHaveLength(0)
    const row = (await listRegistrants(home.as.OWNER, workshopId)).get(olena.email)
    expect(letter?.link).toBe(
      `http://${home.tenant.subdomain}.kafedra.localhost:4321/meeting/join/${workshopId}?key=${row?.key}&locale=uk`,
    )
    // 17:00Z is 22:45 in Kathmandu, and the email names the time zone.
    expect(letter?.text).toContain('неділя, 25 жовтня 2026 р. о 22:45 за часом у Непалі')
    // Every link contains the language of the registration, which applies on any device.
    const marko = person('marko')
    await registerForEvent(visitorAt(home, 'en'), { workshopId, ...marko }, NOW)
    const [english] = await listEmailsTo(marko.email, home.tenant.id)
    const links = [...(english?.html ?? '').matchAll(/href="(http:[^"]+)"/g)].map(([, href]) => href ?? '')
    expect(links.length).toBeGreaterThan(1)
    for (const href of links) expect(href).toMatch(/&amp;locale=en(#\w+)?$/)
    const key = (await listRegistrants(home.as.OWNER, workshopId)).get(marko.email)?.key ?? ''
    expect((await readCalendarFile(home.tenant.id, key, NOW)).text.replaceAll('\r\n ', '')).toContain('&locale=en')
  })

  test('is idempotent: same registration, email again, same result', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    const olena = person('again')
    const first = await registerForEvent(visitorAt(home), { workshopId, ...olena }, NOW)
    const before = (await listRegistrants(home.as.OWNER, workshopId)).get(olena.email)
    const second = await registerForEvent(
      visitorAt(home),
      { workshopId, email: olena.email.toUpperCase(), name: 'Інша' },
      NOW,
    )
    expect(second).toEqual(first)
    const all = await listRegistrants(home.as.OWNER, workshopId)
    expect(all.size).toBe(1)
    // A person who only knows the address cannot change its registration.
    expect(all.get(olena.email)).toMatchObject({ key: before?.key, name: 'again' })
    expect(await subjects(olena.email)).toEqual(['Ви зареєстровані', 'Ви зареєстровані'])
    for (let n = 0; n < 6; n += 1) await registerForEvent(visitorAt(home), { workshopId, ...olena }, NOW)
    expect((await subjects(olena.email)).length).toBe(4)
  })

  test('twice at the same time creates one registration and one email', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    const olena = person('double')
    await Promise.all([1, 2, 3].map(() => registerForEvent(visitorAt(home), { workshopId, ...olena }, NOW)))
    expect((await listRegistrants(home.as.OWNER, workshopId)).size).toBe(1)
  })

  test('returns the link to a signed-in member at once', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START, access: 'students' })
    const { STUDENT } = home.as
    const refused = registerForEvent(visitorAt(home), { workshopId, ...person('stranger') }, NOW)
    await expect(refused).rejects.toThrow(code('unprocessable'))
    const { key } = await registerActor({ ...visitorAt(home), actor: STUDENT }, { workshopId, answers: {} }, NOW)
    expect(await readOwnRegistration(home.tenant.id, { workshopId, key: key ?? '' }, NOW)).toMatchObject({
      state: 'confirmed',
    })
    const seen = await readInvitation(home.tenant.id, STUDENT, { workshopId }, NOW)
    expect(seen.ownKey).toBe(key)
  })

  test('validates the event’s questions and reports missing answers', async () => {
    const questions = [
      { id: 'why', label: 'Навіщо?', kind: 'line' as const, required: true },
      { id: 'what', label: 'Що?', kind: 'multi' as const, options: ['а', 'б'] },
    ]
    const { workshopId } = await createWebinar(home.as.OWNER, {
      startAt: START,
      settings: { form: { phone: 'required', questions } },
    })
    const registerWith = (more: object) =>
      registerForEvent(visitorAt(home), { workshopId, ...person('form'), ...more }, NOW)
    await expect(registerWith({})).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: { 'answers.why': ['required'], phone: ['required'] } },
    })
    await expect(
      registerWith({ phone: '+380 44 123-45-67', answers: { why: 'так', what: 'в' } }),
    ).rejects.toMatchObject({
      details: { fields: { 'answers.what': ['format'] } },
    })
    await registerWith({ phone: '+380 44 123-45-67', answers: { why: 'так', what: ['а', 'б'], more: 'зайве' } })
    const [row] = [...(await listRegistrants(home.as.OWNER, workshopId)).values()]
    expect(row?.answers).toEqual({ why: 'так', what: ['а', 'б'] })
  })

  test.each([
    ['a draft', { publication: 'draft' as const }, {}, 'not_found'],
    ['a canceled one', { canceledAt: NOW }, {}, 'unprocessable'],
    ['a finished one', {}, { startedAt: NOW, finishedAt: NOW }, 'unprocessable'],
    ['one that never began', { startAt: later(-9) }, { startAt: later(-9) }, 'unprocessable'],
    ['one put away', { archivedAt: NOW }, {}, 'not_found'],
    ['a paid one', { access: 'paid' as const }, {}, 'unprocessable'],
  ])('%s accepts nobody', async (_name, event, session, refusal) => {
    const place = await createWebinar(home.as.OWNER, { startAt: START })
    await updateEvent(home.as.OWNER, place, event, session)
    const { workshopId } = place
    await expect(registerForEvent(visitorAt(home), { workshopId, ...person('late') }, NOW)).rejects.toThrow(
      code(refusal),
    )
  })

  test('does not see another tenant’s event', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    await registerForEvent(visitorAt(home), { workshopId, ...person('ours') }, NOW)
    const [row] = [...(await listRegistrants(home.as.OWNER, workshopId)).values()]
    const key = row?.key ?? ''
    await expect(registerForEvent(visitorAt(theirs), { workshopId, ...person('x') }, NOW)).rejects.toThrow(
      code('not_found'),
    )
    await expect(readInvitation(theirs.tenant.id, theirs.as.OWNER, { workshopId })).rejects.toThrow(code('not_found'))
    await expect(readOwnRegistration(theirs.tenant.id, { workshopId, key })).rejects.toThrow(code('not_found'))
    await expect(cancelOwnRegistration(theirs.tenant.id, { workshopId, key })).rejects.toThrow(code('not_found'))
    await expect(listRegistrations(theirs.as.OWNER, { workshopId })).rejects.toThrow(code('not_found'))
    const other = (await createWebinar(home.as.OWNER, { startAt: START })).workshopId
    await expect(readOwnRegistration(home.tenant.id, { workshopId: other, key })).rejects.toThrow(code('not_found'))
  })
})

describe('seats', () => {
  const full = { form: { seats: 1 } }

  test('the last seat goes to one of two simultaneous requests, the other is waitlisted', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START, settings: full })
    const people = ['a', 'b', 'c', 'd'].map(person)
    const done = await Promise.all(
      people.map((person) => registerForEvent(visitorAt(home), { workshopId, ...person }, NOW)),
    )
    expect(done.map(({ state }) => state).sort()).toEqual(['confirmed', 'waitlisted', 'waitlisted', 'waitlisted'])
    const { seatsLeft, nextState: next } = await readInvitation(home.tenant.id, null, { workshopId }, NOW)
    expect([seatsLeft, next]).toEqual([0, 'waitlisted'])
  })

  test('visitors of one network without a confirmed address take half of the seats at most', async () => {
    const { workshopId } = await createWebinar(theirs.as.OWNER, { startAt: START, settings: { form: { seats: 20 } } })
    const register = (address: string) =>
      registerForEvent({ ...visitorAt(theirs), address }, { workshopId, ...person('many') }, NOW)
    for (let each = 0; each < 10; each += 1) await register('10.30.0.1')
    await expect(register('10.30.0.1')).rejects.toThrow(code('too_many'))
    await register('10.31.0.1')
  })

  test('without a waitlist the event is full, and a registered person still gets the email again', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, {
      startAt: START,
      settings: { form: { seats: 1, waitlist: false } },
    })
    const first = person('first')
    await registerForEvent(visitorAt(home), { workshopId, ...first }, NOW)
    for (const visitor of [first, person('second')]) {
      await expect(registerForEvent(visitorAt(home), { workshopId, ...visitor }, NOW)).rejects.toThrow(
        code('unprocessable'),
      )
    }
    expect(await subjects(first.email)).toEqual(['Ви зареєстровані', 'Ви зареєстровані'])
  })

  test('a canceled seat is offered to the first on the waitlist, then to the next when the offer expires', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START, settings: full })
    const [first, two, three, four] = [person('one'), person('two'), person('three'), person('four')]
    for (const who of [first, two, three]) await registerForEvent(visitorAt(home), { workshopId, ...who }, NOW)
    const key = async (email = '') => (await listRegistrants(home.as.OWNER, workshopId)).get(email)?.key ?? ''
    await cancelOwnRegistration(home.tenant.id, { workshopId, key: await key(first.email) }, NOW)
    expect(await subjects(first.email)).toEqual(['Скасовано', 'Ви зареєстровані'])
    expect(await subjects(two.email)).toEqual(['Для вас є місце', 'Ви в черзі'])
    // The seat is reserved meanwhile: a new registrant waits.
    const newcomer = await registerForEvent(visitorAt(home), { workshopId, ...four }, NOW)
    expect(newcomer.state).toBe('waitlisted')
    await sendDueEmails(later(1))
    expect(await subjects(three.email)).toEqual(['Ви в черзі'])
    await sendDueEmails(later(25))
    expect(await subjects(three.email)).toEqual(['Для вас є місце', 'Ви в черзі'])
    const two_ = { workshopId, key: await key(two.email) }
    await expect(acceptOffer(home.tenant.id, two_, later(25))).rejects.toThrow(code('unprocessable'))
    await acceptOffer(home.tenant.id, { workshopId, key: await key(three.email) }, later(26))
    await acceptOffer(home.tenant.id, { workshopId, key: await key(three.email) }, later(26))
    expect(await subjects(three.email)).toEqual(['Ви зареєстровані', 'Для вас є місце', 'Ви в черзі'])
  })

  test('an offer ends at the start, and none is made afterwards', async () => {
    const soon = later(2).toISOString()
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: soon, settings: full })
    const [first, two] = [person('p'), person('q')]
    for (const who of [first, two]) await registerForEvent(visitorAt(home), { workshopId, ...who }, NOW)
    const rows = await listRegistrants(home.as.OWNER, workshopId)
    await cancelOwnRegistration(home.tenant.id, { workshopId, key: rows.get(first.email)?.key ?? '' }, NOW)
    const offered = (await listRegistrants(home.as.OWNER, workshopId)).get(two.email)
    expect(offered?.offeredUntil).toEqual(later(2))
  })

  test('a canceled registration can be renewed, at the end of the waitlist', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    const registrant = person('back')
    await registerForEvent(visitorAt(home), { workshopId, ...registrant }, NOW)
    const before = (await listRegistrants(home.as.OWNER, workshopId)).get(registrant.email)
    await cancelOwnRegistration(home.tenant.id, { workshopId, key: before?.key ?? '' }, NOW)
    await registerForEvent(visitorAt(home), { workshopId, ...registrant }, later(1))
    const after = (await listRegistrants(home.as.OWNER, workshopId)).get(registrant.email)
    expect(after).toMatchObject({ id: before?.id, key: before?.key, state: 'confirmed', icsSequence: 2 })
    await cancelOwnRegistration(home.tenant.id, { workshopId, key: after?.key ?? '' }, later(2))
    expect(await subjects(registrant.email)).toEqual(['Скасовано', 'Ви зареєстровані', 'Скасовано', 'Ви зареєстровані'])
  })
})

describe('staff', () => {
  test('approve and decline applicants once', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, {
      startAt: START,
      settings: { form: { approval: 'manual' } },
    })
    const [yes, no] = [person('yes'), person('no')]
    for (const who of [yes, no]) {
      expect(await registerForEvent(visitorAt(home), { workshopId, ...who }, NOW)).toMatchObject({ state: 'pending' })
    }
    const rows = await listRegistrants(home.as.OWNER, workshopId)
    const chosen = (who = yes) => ({ workshopId, registrationIds: [rows.get(who.email)?.id ?? ''] })
    expect(await approveRegistrations(home.as.OWNER, chosen(), NOW)).toEqual({ changed: 1, skipped: 0 })
    expect(await approveRegistrations(home.as.OWNER, chosen(), NOW)).toEqual({ changed: 0, skipped: 1 })
    await declineRegistrations(home.as.OWNER, chosen(no), NOW)
    expect(await subjects(yes.email)).toEqual(['Ви зареєстровані', 'Заявку прийнято'])
    expect(await subjects(no.email)).toEqual(['Щодо вашої заявки', 'Заявку прийнято'])
    // Another attempt changes nothing and reveals nothing.
    expect(await registerForEvent(visitorAt(home), { workshopId, email: no.email, name: 'Ще раз' }, NOW)).toMatchObject(
      {
        state: 'pending',
      },
    )
    expect((await listRegistrants(home.as.OWNER, workshopId)).get(no.email)).toMatchObject({ state: 'declined' })
  })

  test('add one registration manually and many from a spreadsheet', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, {
      startAt: START,
      settings: { form: { approval: 'manual', seats: 1 } },
    })
    const waiting = person('waiting')
    await registerForEvent(visitorAt(home), { workshopId, ...waiting }, NOW)
    const added = person('added')
    expect(await addRegistration(home.as.OWNER, { workshopId, ...added }, NOW)).toEqual({ outcome: 'added' })
    expect(await addRegistration(home.as.OWNER, { workshopId, ...added }, NOW)).toEqual({ outcome: 'known' })
    const text = `E-mail;Ім’я;Телефон\n${waiting.email};Та сама;\nodyn@list.test;Один;+380441112233\nnot an address;x;\nODYN@list.test;Двічі;`
    const { lines } = await importRegistrations(home.as.OWNER, { workshopId, text }, NOW)
    expect(lines.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'confirmed'],
      [3, 'added'],
      [4, 'invalid'],
      [5, 'twice'],
    ])
    expect((await listRegistrants(home.as.OWNER, workshopId)).get('odyn@list.test')).toMatchObject({
      name: 'Один',
      phone: '+380441112233',
      state: 'confirmed',
    })
    for (const search of ['044 111-22-33', '80441112233', '+38044111', '22-33'])
      expect((await listRegistrations(home.as.OWNER, { workshopId, search })).items).toMatchObject([
        { email: 'odyn@list.test' },
      ])
    const csv = await exportRegistrations(home.as.OWNER, { workshopId })
    expect(csv.split('\r\n')).toHaveLength(5)
    expect(csv).toContain('odyn@list.test,Один')
  })

  test('find registrants by name, email and state, page by page', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    const people = Array.from({ length: 7 }, (_, n) => `list-${n}@page.test`)
    for (const [n, email] of people.entries())
      await registerForEvent(visitorAt(home), { workshopId, email, name: `Особа ${n}` }, later(n))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await listRegistrations(home.as.OWNER, { workshopId, limit: 3, cursor })
      seen.push(...page.items.map(({ email }) => email))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(people.toReversed())
    const found = await listRegistrations(home.as.OWNER, { workshopId, search: 'особа 3', state: 'confirmed' })
    expect(found.items.map(({ name }) => name)).toEqual(['Особа 3'])
    expect((await listRegistrations(home.as.OWNER, { workshopId, search: '%' })).items).toHaveLength(0)
  })

  test('other staff are refused, and a row of another event is not found', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    for (const role of ['CURATOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(listRegistrations(home.as[role], { workshopId })).rejects.toThrow(code('forbidden'))
      await expect(addRegistration(home.as[role], { workshopId, email: 'a@b.test' })).rejects.toThrow(code('forbidden'))
    }
    await expect(addRegistration(home.as.PRESENTER, { workshopId, email: 'a@b.test' })).rejects.toThrow(
      code('forbidden'),
    )
    await expect(cancelRegistrations(home.as.OWNER, { workshopId, registrationIds: [randomUUID()] })).rejects.toThrow(
      code('not_found'),
    )
    await expect(addRegistration({ ...home.as.OWNER, plans: [] }, { workshopId, email: 'a@b.test' })).rejects.toThrow(
      code('plan_inactive'),
    )
  })
})

describe('afterwards', () => {
  // The plan limits the number of events of a school.
  beforeAll(async () => {
    home = await createTestTenant()
  })

  test('registrants change their own answers, and nothing else', async () => {
    const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START })
    const registrant = person('editor')
    await registerForEvent(visitorAt(home), { workshopId, ...registrant }, NOW)
    const key = (await listRegistrants(home.as.OWNER, workshopId)).get(registrant.email)?.key ?? ''
    await editOwnRegistration(home.tenant.id, { workshopId, key, name: 'Нове ім’я', timeZone: 'America/New_York' }, NOW)
    expect(await readOwnRegistration(home.tenant.id, { workshopId, key }, NOW)).toMatchObject({
      name: 'Нове ім’я',
      timeZone: 'America/New_York',
      state: 'confirmed',
      email: registrant.email,
    })
    await expect(readOwnRegistration(home.tenant.id, { workshopId, key: 'x'.repeat(24) })).rejects.toThrow(
      code('not_found'),
    )
  })

  test('a request for the next event is refused for an event that is not published', async () => {
    const draft = await createWebinar(home.as.OWNER, { startAt: START })
    await updateEvent(home.as.OWNER, draft, { publication: 'draft' })
    const request = { workshopId: draft.workshopId, email: `wish-${randomUUID().slice(0, 8)}@visitor.test` }
    await expect(requestNextEventEmail(visitorAt(home), request, NOW)).rejects.toEqual(code('not_found'))
  })

  test('a request for the next event gets one email about it', async () => {
    const over = await createWebinar(home.as.OWNER, { startAt: START })
    const email = `wish-${randomUUID().slice(0, 8)}@visitor.test`
    for (let n = 0; n < 2; n += 1)
      await requestNextEventEmail(
        visitorAt(home, 'en'),
        { workshopId: over.workshopId, email, timeZone: 'America/New_York' },
        NOW,
      )
    await announcePublished({ tenantId: home.tenant.id, workshopId: over.workshopId }, NOW)
    expect(await listEmailsTo(email, home.tenant.id)).toHaveLength(0)
    const next = await createWebinar(home.as.OWNER, { startAt: START, title: 'Наступний' })
    for (let n = 0; n < 2; n += 1)
      await announcePublished({ tenantId: home.tenant.id, workshopId: next.workshopId }, NOW)
    const emails = await listEmailsTo(email, home.tenant.id)
    expect(emails.map(({ subject }) => subject)).toEqual(['Next event: Наступний'])
    expect(emails[0]?.text).toContain('Sunday, 25 October 2026 at 13:00 Eastern Time')
  })

  test('a renewed request gets one more email, however often it was repeated', async () => {
    const email = `wish-${randomUUID().slice(0, 8)}@visitor.test`
    const attempts = [
      await createWebinar(home.as.OWNER, { startAt: START }),
      await createWebinar(home.as.OWNER, { startAt: START }),
    ]
    const wish = async () => {
      for (const { workshopId } of attempts) await requestNextEventEmail(visitorAt(home), { workshopId, email }, NOW)
    }
    const appears = async (title: string) => {
      const { workshopId } = await createWebinar(home.as.OWNER, { startAt: START, title })
      await announcePublished({ tenantId: home.tenant.id, workshopId }, NOW)
    }
    await wish()
    await appears('Перша')
    await appears('Друга')
    await wish()
    await appears('Третя')
    const emails = await listEmailsTo(email, home.tenant.id)
    expect(emails.map(({ subject }) => subject.split(': ')[1])).toEqual(['Третя', 'Перша'])
  })
})

describe('decisions of the staff', () => {
  let other: TestTenant
  beforeAll(async () => {
    other = await createTestTenant()
  })

  test('approve concurrently, again and after declining: each decision is emailed once', async () => {
    const { workshopId } = await createWebinar(other.as.OWNER, {
      startAt: START,
      settings: { form: { approval: 'manual' } },
    })
    const who = person('twice')
    await registerForEvent(visitorAt(other), { workshopId, ...who }, NOW)
    const { id = '' } = (await listRegistrants(other.as.OWNER, workshopId)).get(who.email) ?? {}
    const chosen = { workshopId, registrationIds: [id] }
    await declineRegistrations(other.as.OWNER, chosen, NOW)
    await Promise.all([1, 2, 3].map(() => approveRegistrations(other.as.OWNER, chosen, later(1))))
    await approveRegistrations(other.as.DIRECTOR, chosen, later(2))
    expect(await subjects(who.email, other)).toEqual(['Ви зареєстровані', 'Щодо вашої заявки', 'Заявку прийнято'])
  })

  test('decline permanently: another attempt sends no email, gives no link and changes nothing', async () => {
    const { workshopId } = await createWebinar(other.as.OWNER, {
      startAt: START,
      settings: { form: { approval: 'manual' } },
    })
    const { STUDENT, OWNER } = other.as
    await registerForEvent(visitorAt(other), { workshopId, email: STUDENT.email, name: 'Перша' }, NOW)
    const { id = '' } = (await listRegistrants(OWNER, workshopId)).get(STUDENT.email) ?? {}
    await declineRegistrations(OWNER, { workshopId, registrationIds: [id] }, NOW)
    const before = (await listRegistrants(OWNER, workshopId)).get(STUDENT.email)
    const mails = await subjects(STUDENT.email, other)
    expect(mails).toEqual(['Щодо вашої заявки', 'Заявку прийнято'])
    const again = { workshopId, email: STUDENT.email, name: 'Друга' }
    for (const visitor of [visitorAt(other), { ...visitorAt(other), actor: STUDENT }])
      expect(await registerForEvent(visitor, again, later(30))).toEqual({ state: 'pending', key: null, pass: null })
    expect((await listRegistrants(OWNER, workshopId)).get(STUDENT.email)).toEqual(before)
    expect(await subjects(STUDENT.email, other)).toEqual(mails)
  })
})
