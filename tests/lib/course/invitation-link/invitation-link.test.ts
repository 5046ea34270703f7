import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { findInvitationLink } from '#lib/course/invitation-link/find-link.ts'
import { listInvitationLinks, revokeInvitationLink } from '#lib/course/invitation-link/invitation-link.ts'
import { requestJoin } from '#lib/course/invitation-link/join.ts'
import type { CreateInvitationLink } from '#lib/course/invitation-link/schema.ts'
import { archiveCourse } from '#lib/course/publish.ts'
import { setStaff } from '#lib/course/staff.ts'
import {
  getRegistrationForm,
  getStudentRegistration,
  saveRegistrationForm,
} from '#lib/student/registration-form/registration-form.ts'
import { findActor } from '#lib/user/session.ts'
import { requestApi } from '../../../api/api-request.ts'
import { auditedActions } from '../../../setup/audit.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { finishGroup } from '../../../setup/parsed/course-group.ts'
import { createInvitationLink, joinByLink, registerByLink } from '../../../setup/parsed/course-invitation-link.ts'
import { listEmailsTo, newestEmailTo } from '../../../setup/servers/sent-emails.ts'
import {
  createOtherTenant,
  createTestTenant,
  createTestUser,
  PASSWORD,
  type TestTenant,
} from '../../../setup/tenants.ts'

const caller = { address: '10.7.0.1', userAgent: 'tests', locale: 'uk' } as const
let home: TestTenant
let other: TestTenant
let owner: Actor
let courseId: string
let count = 0

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  owner = home.as.OWNER
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  courseId = (await createCourse(owner, { title: 'Ораторство' })).courseId
})
afterAll(() => pool.end())

const create = async (change: Partial<CreateInvitationLink> = {}) => {
  const { linkId, url } = await createInvitationLink(owner, { linkId: newId(), courseId, ...change })
  return { linkId, open: openOf(url) }
}
const openOf = (url: string) => {
  const { searchParams } = new URL(url)
  return { link: searchParams.get('link') ?? '', tenant: searchParams.get('tenant') ?? '' }
}
const newPerson = async (email = `join-${++count}@link.test`) => ({ userId: await createTestUser(email), email })
const tokenOf = async (email: string) => {
  const { searchParams } = new URL((await newestEmailTo(email, home.tenant.id)).link)
  return { join: searchParams.get('join') ?? '', tenant: searchParams.get('tenant') ?? '' }
}
const query = async (text: string) => (await inTenant({ tenantId: home.tenant.id }, (tx) => tx.execute(text))).rows
const grantsOf = (studentId: string) =>
  query(`select source_type, course_id from access_grant where student_id = '${studentId}' and revoked_at is null`)
const useCountOf = async (linkId: string) =>
  (await listInvitationLinks(owner, { courseId })).find(({ id }) => id === linkId)?.useCount
const refusal = (reason: string) => ({ details: { fields: { form: [reason] } } })

describe('creating a link', () => {
  test('gives an address on the student host and stores no token in clear text', async () => {
    const linkId = newId()
    const input = { linkId, courseId, label: 'Канал', maxUses: 5, emailDomain: '@University.TEST' }
    const { url } = await createInvitationLink(owner, input)
    expect(url).toMatch(/^http:\/\/go\.kafedra\.localhost:4321\/invite-accept\?link=[\w-]{43}&tenant=school-/)
    expect(await createInvitationLink(owner, input)).toEqual({ linkId, url })
    const [link, ...rest] = await listInvitationLinks(owner, { courseId })
    expect(rest).toEqual([])
    expect(link).toMatchObject({ state: 'open', url, useCount: 0, maxUses: 5, emailDomain: 'university.test' })
    const rows = await query(`select * from invitation_link where id = '${linkId}'`)
    expect(JSON.stringify(rows)).not.toContain(openOf(url).link)
  })

  test.each([
    [{ maxUses: 0 }],
    [{ maxUses: 1.5 }],
    [{ maxUses: 10_001 }],
    [{ emailDomain: 'not a domain' }],
    [{ label: 'а'.repeat(81) }],
    [{ expiresAt: 'tomorrow' }],
  ])('refuses %o', async (change) => {
    const body = { linkId: newId(), courseId, ...change }
    expect(await requestApi('POST', 'course/createInvitationLink', { actor: owner, body })).toMatchObject({
      status: 400,
      body: { fields: { [Object.keys(change).join()]: [expect.any(String)] } },
    })
  })

  test('refuses a date that has passed and an archived course', async () => {
    const expiresAt = new Date(Date.now() - 1000).toISOString()
    await expect(create({ expiresAt })).rejects.toMatchObject({ details: { fields: { expiresAt: ['date_in_past'] } } })
    await archiveCourse(owner, { courseId })
    await expect(create()).rejects.toMatchObject(refusal('course_archived'))
  })

  test('refuses the 101st link of a course, also when several are created at once', async () => {
    for (let number = 0; number < 98; number++) await create()
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => create()))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refusal('too_many_links') })
    const [newest] = await listInvitationLinks(owner, { courseId })
    await revokeInvitationLink(owner, { linkId: newest?.id ?? '' })
    await expect(create()).resolves.toBeTruthy()
  })

  test('is for owners, directors and curators of the course', async () => {
    for (const role of ['EXPERT', 'CURATOR', 'PRESENTER', 'MODERATOR', 'MENTOR', 'MEMBER', 'STUDENT'] as const) {
      const attempt = createInvitationLink(home.as[role], { linkId: newId(), courseId })
      await expect(attempt, role).rejects.toMatchObject({ code: 'forbidden' })
    }
    const { linkId } = await create()
    await expect(revokeInvitationLink(home.as.CURATOR, { linkId })).rejects.toMatchObject({ code: 'forbidden' })
    const { membershipId } = home.as.CURATOR
    await setStaff(owner, { courseId, staff: [{ memberId: membershipId, role: 'curator' }] })
    await expect(createInvitationLink(home.as.CURATOR, { linkId: newId(), courseId })).resolves.toBeTruthy()
    await expect(createInvitationLink(home.as.DIRECTOR, { linkId: newId(), courseId })).resolves.toBeTruthy()
  })

  test('shows another school nothing', async () => {
    const { linkId, open } = await create()
    const theirs = other.as.OWNER
    await expect(createInvitationLink(theirs, { linkId: newId(), courseId })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(listInvitationLinks(theirs, { courseId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(revokeInvitationLink(theirs, { linkId })).rejects.toMatchObject({ code: 'not_found' })
    const elsewhere = { ...open, tenant: other.tenant.subdomain }
    await expect(findInvitationLink(elsewhere)).rejects.toMatchObject({ code: 'invalid_invitation' })
    const groupOfOther = await createCourse(theirs, { title: 'Чужий' }).then(({ courseId: id }) =>
      createGroup(theirs, {
        courseId: id,
        name: 'Група',
        startAt: new Date().toISOString(),
        endAt: null,
        timeZone: 'Europe/Kyiv',
      }),
    )
    await expect(create({ groupId: groupOfOther.groupId })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('joining as a signed-in person', () => {
  test('makes a student of the school with access to the course; a second time is a success', async () => {
    const { linkId, open } = await create()
    const person = await newPerson()
    const { studentId } = await joinByLink(person, open)
    expect(await grantsOf(studentId)).toEqual([{ source_type: 'invite', course_id: courseId }])
    expect(await query(`select status from membership where id = '${studentId}'`)).toEqual([{ status: 'accepted' }])
    expect(await joinByLink(person, open)).toEqual({ studentId })
    expect(await useCountOf(linkId)).toBe(1)
    await revokeInvitationLink(owner, { linkId })
    await revokeInvitationLink(owner, { linkId })
    expect(await joinByLink(person, open)).toEqual({ studentId })
    expect(await auditedActions(owner, linkId)).toEqual(['invitation_link.revoked', 'invitation_link.created'])
  })

  test('joins a group, whose membership is the grant', async () => {
    const dates = { startAt: new Date(Date.now() - DAY_MS).toISOString(), endAt: null, timeZone: 'Europe/Kyiv' }
    const { groupId } = await createGroup(owner, { courseId, name: 'Осіння', seats: 1, ...dates })
    const { linkId, open } = await create({ groupId })
    const { studentId } = await joinByLink(await newPerson(), open)
    expect(await grantsOf(studentId)).toEqual([{ source_type: 'group', course_id: courseId }])
    await expect(joinByLink(await newPerson(), open)).rejects.toMatchObject(refusal('invitation_link_full'))
    expect(await useCountOf(linkId)).toBe(1)
    await finishGroup(owner, { groupId })
    await expect(joinByLink(await newPerson(), open)).rejects.toMatchObject(refusal('invitation_link_closed'))
  })

  test.each([
    ['revoked', `revoked_at = now()`, 'invitation_link_revoked'],
    ['expired', `expires_at = now() - interval '1 second'`, 'invitation_link_expired'],
    ['used up', 'max_uses = 1, use_count = 1', 'invitation_link_used_up'],
  ])('is refused by a link that is %s, which is audited', async (_, change, reason) => {
    const { linkId, open } = await create()
    await query(`update invitation_link set ${change} where id = '${linkId}'`)
    const person = await newPerson()
    await expect(joinByLink(person, open)).rejects.toMatchObject({ code: 'gone', ...refusal(reason) })
    const { items } = await listAuditEntries(owner, { objectId: linkId, action: 'invitation_link.failed' })
    expect(items[0]).toMatchObject({ objectName: person.email, after: { reason } })
  })

  test('is limited to the domain of the link', async () => {
    const { open } = await create({ emailDomain: 'university.test' })
    await expect(joinByLink(await newPerson(), open)).rejects.toMatchObject({
      code: 'forbidden',
      details: { fields: { email: ['invitation_link_other_domain'] }, variables: { domain: 'university.test' } },
    })
    await expect(joinByLink(await newPerson('anna@university.test'), open)).resolves.toBeTruthy()
  })

  test('is refused to a blocked student, also after joining', async () => {
    const { open } = await create()
    const person = await newPerson()
    const { studentId } = await joinByLink(person, open)
    await query(`update membership set blocked_at = now() where id = '${studentId}'`)
    await expect(joinByLink(person, open)).rejects.toMatchObject(refusal('student_blocked'))
  })

  test('the last use is taken by one of 20 people at the same time', async () => {
    const { linkId, open } = await create({ maxUses: 3 })
    await joinByLink(await newPerson(), open)
    await joinByLink(await newPerson(), open)
    const people = await Promise.all(Array.from({ length: 20 }, () => newPerson()))
    const answers = await Promise.allSettled(people.map((person) => joinByLink(person, open)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refusal('invitation_link_used_up'))
    }
    expect(await useCountOf(linkId)).toBe(3)
    const emails = people.map(({ email }) => `'${email}'`).join(', ')
    expect(await query(`select 1 from student where email in (${emails})`)).toHaveLength(1)
  })
})

describe('joining without a login session', () => {
  test('a new person confirms the mailbox, registers and is signed in', async () => {
    const { linkId, open } = await create()
    const email = `new-${++count}@link.test`
    await requestJoin({ ...open, email }, caller)
    expect(await query(`select 1 from student where email = '${email}'`)).toEqual([])
    const names = { firstName: 'Ірина', lastName: 'Бондар', password: PASSWORD }
    const token = await tokenOf(email)
    const { token: session, redirect } = await registerByLink({ ...token, ...names }, caller)
    expect(redirect).toContain('://go.')
    expect(await findActor(session, 'go')).toMatchObject({ email, tenantId: home.tenant.id, roles: ['STUDENT'] })
    expect(await useCountOf(linkId)).toBe(1)
    await expect(registerByLink({ ...token, ...names }, caller)).rejects.toMatchObject({ code: 'conflict' })
    expect(await auditedActions(owner, linkId)).toEqual(['invitation_link.created'])
    const [used] = (await listAuditEntries(owner, { action: 'invitation_link.used' })).items
    expect(used).toMatchObject({ objectName: email, after: { label: '' } })
  })

  test('a person with an account is asked to sign in, and the response does not reveal which case it was', async () => {
    const { open } = await create()
    const { email } = await newPerson()
    await requestJoin({ ...open, email }, caller)
    const { link, subject } = await newestEmailTo(email, home.tenant.id)
    expect(subject).toBe('Школа Мрія: курс «Ораторство»')
    const { pathname, searchParams } = new URL(link)
    expect(pathname).toBe('/login')
    expect(searchParams.get('return')).toContain(`/invite-accept?link=${open.link}`)
  })

  test('no email is sent for a link that has ended or to another domain, and at most five an hour to one address', async () => {
    const { linkId, open } = await create({ emailDomain: 'university.test' })
    const email = `five-${++count}@university.test`
    await expect(requestJoin({ ...open, email: 'a@elsewhere.test' }, caller)).rejects.toMatchObject({
      code: 'forbidden',
    })
    for (let attempt = 0; attempt < 5; attempt += 1) await requestJoin({ ...open, email }, caller)
    await expect(requestJoin({ ...open, email }, caller)).rejects.toMatchObject({ code: 'too_many' })
    await revokeInvitationLink(owner, { linkId })
    await expect(requestJoin({ ...open, email: 'b@university.test' }, caller)).rejects.toMatchObject({ code: 'gone' })
    expect(await listEmailsTo('b@university.test', home.tenant.id)).toEqual([])
  })

  test('a token is refused when it was changed, is of another school, or its link was revoked meanwhile', async () => {
    const { linkId, open } = await create()
    const email = `late-${++count}@link.test`
    await requestJoin({ ...open, email }, caller)
    const token = await tokenOf(email)
    const register = (change: object) =>
      registerByLink({ ...token, firstName: 'Ірина', password: PASSWORD, ...change }, caller)
    await expect(register({ join: `${token.join}x` })).rejects.toMatchObject({ code: 'invalid_invitation' })
    await expect(register({ tenant: other.tenant.subdomain })).rejects.toMatchObject({ code: 'invalid_invitation' })
    await revokeInvitationLink(owner, { linkId })
    await expect(register({})).rejects.toMatchObject(refusal('invitation_link_revoked'))
    expect(await query(`select 1 from student where email = '${email}'`)).toEqual([])
  })
})

describe('limits of the school', () => {
  test('a closed registration admits nobody new through links, and those who joined keep their access', async () => {
    const { open } = await create()
    const person = await newPerson()
    await joinByLink(person, open)
    const { revision } = await getRegistrationForm(owner)
    const form = { fields: [], consentText: '', consentUrl: null }
    const closed = await saveRegistrationForm(owner, { ...form, revision, isOpen: false })
    await expect(joinByLink(await newPerson(), open)).rejects.toMatchObject(refusal('invitation_link_closed'))
    await expect(joinByLink(person, open)).resolves.toBeTruthy()
    await saveRegistrationForm(owner, { ...form, revision: closed.revision, isOpen: true })
    await expect(joinByLink(await newPerson(), open)).resolves.toBeTruthy()
  })

  test('what the school requires is requested once and stored with the consent', async () => {
    const { open } = await create()
    const { revision } = await getRegistrationForm(owner)
    const fields = [
      { id: 'city', label: 'Місто', kind: 'line' as const, options: [], required: true },
      { id: 'phone', label: 'Телефон', kind: 'phone' as const, options: [], required: false },
    ]
    const form = { isOpen: true, fields, consentText: 'Погоджуюся', consentUrl: 'https://school.test/terms' }
    const saved = await saveRegistrationForm(owner, { ...form, revision })
    const { consentVersion } = await getRegistrationForm(owner)
    const person = await newPerson()
    await expect(joinByLink(person, open)).rejects.toMatchObject({
      code: 'invalid',
      details: { fields: { 'answers.city': ['required'], consentVersion: ['consent_required'] } },
    })
    const answers = { city: 'Київ', phone: '+380441234567' }
    const { studentId } = await joinByLink(person, { ...open, answers, consentVersion })
    const registration = await getStudentRegistration(owner, { studentId })
    expect(registration.answers.map(({ label, value }) => [label, value])).toEqual([
      ['Місто', 'Київ'],
      ['Телефон', '+380441234567'],
    ])
    expect(registration.consents).toMatchObject([
      { version: consentVersion, text: 'Погоджуюся', url: 'https://school.test/terms' },
    ])
    await expect(joinByLink(person, (await create()).open)).resolves.toEqual({ studentId })
    await expect(saveRegistrationForm(owner, { ...form, revision })).rejects.toMatchObject(refusal('settings_conflict'))
    await saveRegistrationForm(owner, { ...form, revision: saved.revision, consentText: 'Погоджуюся з новими умовами' })
    const next = await newPerson()
    await expect(joinByLink(next, { ...open, answers, consentVersion })).rejects.toMatchObject({
      details: { fields: { consentVersion: ['consent_changed'] } },
    })
    await expect(joinByLink(next, { ...open, answers, consentVersion: consentVersion + 1 })).resolves.toBeTruthy()
    const { revision: last } = await getRegistrationForm(owner)
    await saveRegistrationForm(owner, { isOpen: true, fields: [], consentText: '', consentUrl: null, revision: last })
  })

  test('the form is for owners and directors of the school', async () => {
    for (const role of ['EXPERT', 'CURATOR', 'MEMBER', 'STUDENT'] as const) {
      await expect(async () => getRegistrationForm(home.as[role]), role).rejects.toMatchObject({ code: 'forbidden' })
    }
    const [student] = await query('select id from student limit 1')
    const theirs = getStudentRegistration(other.as.OWNER, { studentId: String(student?.id) })
    await expect(theirs).rejects.toMatchObject({ code: 'not_found' })
  })
})
