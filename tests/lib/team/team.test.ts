import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inSystem, inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { listStaff, setStaff } from '#lib/course/staff.ts'
import { acceptTeamInvitation, findTeamInvitation, registerMember, renewTeamInvitation } from '#lib/team/acceptance.ts'
import { cancelTeamInvitation, resendTeamInvitation } from '#lib/team/invite.ts'
import { blockMember, unblockMember } from '#lib/team/member.ts'
import { cancelTransfer, confirmOwnershipTransfer, requestTransfer } from '#lib/team/ownership.ts'
import { removeMember } from '#lib/team/removal.ts'
import { InviteMember, RegisterMember, TeamInvitationLink } from '#lib/team/schema.ts'
import { getTeam } from '#lib/team/team.ts'
import { addVacation, cancelVacation } from '#lib/team/vacation.ts'
import { teamAssignments } from '#lib/team-assignments.ts'
import { addMember } from '#lib/user/member.ts'
import { findActor, switchMembership } from '#lib/user/session.ts'
import { auditedActions } from '../../setup/audit.ts'
import { listAuditEntries } from '../../setup/parsed/audit.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { changeMember, inviteMember } from '../../setup/parsed/team.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { listEmailsTo, newestEmailTo } from '../../setup/servers/sent-emails.ts'
import {
  addTestMember,
  createOtherTenant,
  createTestTenant,
  createTestUser,
  PASSWORD,
  signInTestUser,
  type TestTenant,
} from '../../setup/tenants.ts'

const caller = { address: '10.6.0.1', userAgent: 'tests', locale: 'uk' } as const
let home: TestTenant
let other: TestTenant
let count = 0
let email: string

beforeAll(async () => {
  home = await createTestTenant('Школа Мрія')
  other = await createOtherTenant()
  await enlarge(home)
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  email = `person${++count}@team.test`
})
afterAll(() => pool.end())

/** Fifty seats, so that other tests do not reach the limit. */
async function enlarge(school: TestTenant): Promise<void> {
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: school.tenant.id, group: 'lms', plan: 'max', nextPayment })
  for (const [role, token] of Object.entries(school.token)) {
    const actor = await findActor(token, role === 'STUDENT' ? 'go' : school.tenant.subdomain)
    if (actor) Object.assign(school.as, { [role]: actor })
  }
}

const invite = (change: object = {}, actor: Actor = home.as.OWNER) =>
  inviteMember(actor, { email, name: 'Ірина Бондар', roles: ['CURATOR'], ...change }, teamAssignments)

async function invited(change: object = {}): Promise<{ memberId: string; link: TeamInvitationLink }> {
  const { memberId } = await invite(change)
  return { memberId, link: await newestLink() }
}

async function newestLink(): Promise<TeamInvitationLink> {
  const { searchParams } = new URL((await newestEmailTo(email, home.tenant.id)).link)
  return TeamInvitationLink.parse(Object.fromEntries(searchParams))
}

const accept = (link: TeamInvitationLink) =>
  registerMember(RegisterMember.parse({ ...link, firstName: 'Ірина', lastName: 'Бондар', password: PASSWORD }), {
    ...caller,
    host: home.tenant.subdomain,
  })

const memberOf = async (memberId: string) =>
  (await getTeam(home.as.OWNER)).members.find((member) => member.id === memberId)

const actionsOn = (objectId: string) => auditedActions(home.as.OWNER, objectId)

describe('an invitation', () => {
  test('adds a new person with roles and a course, who sets a password and is signed in', async () => {
    const { courseId } = await createCourse(home.as.OWNER, { title: 'Малюнок' })
    const { memberId, link } = await invited({ courseIds: [courseId], position: 'Кураторка' })
    expect(await memberOf(memberId)).toMatchObject({
      status: 'invited',
      position: 'Кураторка',
      roles: ['CURATOR'],
      courses: [{ id: courseId, title: 'Малюнок' }],
    })
    const { token } = await accept(link)
    const actor = await findActor(token, home.tenant.subdomain)
    expect(actor).toMatchObject({ membershipId: memberId, roles: ['CURATOR'], firstName: 'Ірина' })
    expect(await memberOf(memberId)).toMatchObject({ status: 'active' })
    expect(await actionsOn(memberId)).toEqual(['member.invitation_accepted', 'member.invited'])
  })

  test('is stored by the digest of its token only', async () => {
    const { link } = await invited()
    const { rows } = await inTenant({ tenantId: home.tenant.id }, (tx) =>
      tx.execute<{ row: string }>('select t::text as row from team_invitation t'),
    )
    expect(rows.every(({ row }) => !row.includes(link.member ?? 'missing'))).toBe(true)
  })

  test('is accepted by staff of another school, signed in, and a second time', async () => {
    email = other.as.EXPERT.email
    const { memberId, link } = await invited()
    expect(await acceptTeamInvitation(other.as.EXPERT, link)).toMatchObject({ state: 'accepted', hasAccount: true })
    expect(await acceptTeamInvitation(other.as.EXPERT, link)).toMatchObject({ state: 'accepted' })
    expect(await actionsOn(memberId)).toEqual(['member.invitation_accepted', 'member.invited'])
    const { actor } = await signInTestUser(other.as.EXPERT.userId, home.tenant.subdomain)
    expect(actor).toMatchObject({ membershipId: memberId, tenantId: home.tenant.id, roles: ['CURATOR'] })
  })

  test('never joins another account through a forwarded link', async () => {
    const { memberId, link } = await invited()
    await expect(acceptTeamInvitation(other.as.MENTOR, link)).rejects.toMatchObject({
      code: 'forbidden',
      details: { fields: { form: ['invitation_other_account'] } },
    })
    expect(await memberOf(memberId)).toMatchObject({ status: 'invited' })
  })

  test('offers a new email after it has expired', async () => {
    const { link } = await invited()
    await inTenant({ tenantId: home.tenant.id }, (tx) =>
      tx.execute(`update team_invitation set expires_at = now() - interval '1 second' where accepted_at is null`),
    )
    await expect(accept(link)).rejects.toMatchObject({ code: 'gone' })
    expect(await findTeamInvitation(link)).toMatchObject({ state: 'expired' })
    await renewTeamInvitation(link)
    const renewed = await newestLink()
    expect(renewed.member).not.toBe(link.member)
    await expect(accept(renewed)).resolves.toMatchObject({ token: expect.any(String) })
  })

  test.each([
    {},
    { member: 'x' },
    { tenant: 'school-1' },
    { member: 'x', tenant: 'nowhere' },
    { member: 'x', tenant: '..' },
  ])('has the message of the specification for %j', async (parts) => {
    const link = TeamInvitationLink.parse(parts)
    await expect(findTeamInvitation(link)).rejects.toMatchObject({ code: 'invalid_invitation' })
    await expect(acceptTeamInvitation(home.as.OWNER, link)).rejects.toMatchObject({ code: 'invalid_invitation' })
  })

  test('works for the newest email only, and not after it was canceled', async () => {
    const { memberId, link } = await invited()
    await resendTeamInvitation(home.as.DIRECTOR, { memberId })
    await expect(accept(link)).rejects.toMatchObject({ code: 'gone' })
    const newest = await newestLink()
    await cancelTeamInvitation(home.as.DIRECTOR, { memberId }, teamAssignments)
    await expect(accept(newest)).rejects.toMatchObject({ code: 'gone' })
    expect(await memberOf(memberId)).toBeUndefined()
    expect(await actionsOn(memberId)).toEqual([
      'member.invitation_canceled',
      'member.invitation_resent',
      'member.invited',
    ])
    expect((await invite()).memberId).toBe(memberId)
  })

  test('is sent once when it is submitted twice', async () => {
    const results = await Promise.allSettled([invite(), invite()])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await listEmailsTo(email, home.tenant.id)).toHaveLength(1)
  })

  test('cannot name the roles of owner and student', () => {
    for (const role of ['OWNER', 'STUDENT', 'ROOT']) {
      expect(InviteMember.safeParse({ email, roles: [role] }).success).toBe(false)
    }
  })
})

test('twenty invitations at once take the last seat exactly once', async () => {
  const school = await createTestTenant('Повна школа')
  const { used } = (await getTeam(school.as.OWNER)).seats
  for (let seat = used; seat < 9; seat += 1) await addTestMember(school, 'CURATOR', `seat${seat}@full.test`)
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      inviteMember(school.as.OWNER, { email: `rush${index}@full.test` }, teamAssignments),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') {
      expect(result.reason).toMatchObject({
        code: 'unprocessable',
        details: { fields: { form: ['limit_manager_count'] } },
      })
    }
  }
  expect((await getTeam(school.as.OWNER)).seats).toEqual({ used: 10, max: 10 })
})

test('an invitation is not accepted over the limit of a smaller plan', async () => {
  const school = await createTestTenant('Менший тариф')
  const person = `late${++count}@team.test`
  await inviteMember(school.as.OWNER, { email: person }, teamAssignments)
  const nextPayment = new Date(Date.now() + 86_400_000)
  for (const group of ['lms', 'workshop'] as const) {
    await setPlan({ tenantId: school.tenant.id, group, plan: 'start', nextPayment })
  }
  const { searchParams } = new URL((await newestEmailTo(person, school.tenant.id)).link)
  const link = TeamInvitationLink.parse(Object.fromEntries(searchParams))
  await expect(accept(link)).rejects.toMatchObject({ details: { fields: { form: ['limit_manager_count'] } } })
})

describe('a member', () => {
  test('is listed with phone, last activity, courses and open homework, and without activity before the first visit', async () => {
    const { CURATOR } = home.as
    await inSystem((tx) => tx.execute(`update "user" set phone = '+380441234567' where id = '${CURATOR.userId}'`))
    expect(await memberOf(CURATOR.membershipId)).toMatchObject({
      phone: '+380441234567',
      lastActiveAt: expect.any(Date),
      roles: ['CURATOR'],
      openHomework: 0,
    })
    const { memberId } = await invited()
    expect(await memberOf(memberId)).toMatchObject({ phone: null, lastActiveAt: null, courses: [], events: [] })
  })

  test('has the union of new roles from the next request on', async () => {
    const { memberId, link } = await invited()
    const { token } = await accept(link)
    const member = await memberOf(memberId)
    const change = { memberId, revision: member?.revision ?? 0, position: 'Методистка' }
    await changeMember(home.as.DIRECTOR, { ...change, roles: ['CURATOR', 'MENTOR'] })
    expect((await findActor(token, home.tenant.subdomain))?.roles).toEqual(['CURATOR', 'MENTOR'])
    await changeMember(home.as.DIRECTOR, { ...change, revision: change.revision + 1, roles: [] })
    expect((await findActor(token, home.tenant.subdomain))?.roles).toEqual(['MEMBER'])
    const [entry] = (await listAuditEntries(home.as.OWNER, { objectId: memberId })).items
    expect(entry).toMatchObject({
      action: 'member.changed',
      actor: { id: home.as.DIRECTOR.membershipId },
      before: { roles: ['CURATOR', 'MENTOR'], position: 'Методистка' },
      after: { roles: ['MEMBER'], position: 'Методистка' },
    })
  })

  test('is not overwritten by a second editor', async () => {
    const { memberId } = await invited()
    const { revision = 0 } = (await memberOf(memberId)) ?? {}
    const edits = await Promise.allSettled([
      changeMember(home.as.OWNER, { memberId, revision, roles: ['EXPERT'], position: 'Перша' }),
      changeMember(home.as.DIRECTOR, { memberId, revision, roles: ['MENTOR'], position: 'Друга' }),
    ])
    const rejected = edits.find((edit) => edit.status === 'rejected')
    expect(rejected?.reason).toMatchObject({ code: 'conflict', details: { data: { revision: revision + 1 } } })
    const stored = await memberOf(memberId)
    expect(stored?.revision).toBe(revision + 1)
    const kept = stored?.position === 'Перша' ? ('EXPERT' as const) : ('MENTOR' as const)
    const again = { memberId, revision, roles: [kept], position: stored?.position ?? '' }
    expect(await changeMember(home.as.OWNER, again)).toMatchObject({ revision: revision + 1 })
  })

  test('is refused at the next request after being blocked, and can be unblocked', async () => {
    const { memberId, link } = await invited()
    const { token } = await accept(link)
    await blockMember(home.as.DIRECTOR, { memberId })
    await blockMember(home.as.DIRECTOR, { memberId })
    expect(await findActor(token, home.tenant.subdomain)).toBeNull()
    expect(await memberOf(memberId)).toMatchObject({ status: 'blocked' })
    await unblockMember(home.as.DIRECTOR, { memberId })
    expect(await findActor(token, home.tenant.subdomain)).not.toBeNull()
    expect((await actionsOn(memberId)).slice(0, 2)).toEqual(['member.unblocked', 'member.blocked'])
  })

  test('takes a free seat to be unblocked', async () => {
    const school = await createTestTenant('Тісна школа')
    const { membershipId: memberId } = school.as.MENTOR
    await blockMember(school.as.OWNER, { memberId })
    for (let seat = 0; seat < 3; seat += 1) {
      await inviteMember(school.as.OWNER, { email: `tight${seat}@team.test` }, teamAssignments)
    }
    await expect(unblockMember(school.as.OWNER, { memberId })).rejects.toMatchObject({ code: 'unprocessable' })
  })
})

describe('removal', () => {
  test('reassigns courses, events and homework and leaves nothing without an owner', async () => {
    const { courseId } = await createCourse(home.as.OWNER, { title: 'Спадок' })
    const event = { type: 'webinar', title: 'Ефір', timeZone: 'Europe/Kyiv', access: 'open' } as const
    const { workshopId } = await createWorkshop(home.as.OWNER, { ...event, startAt: '2030-01-01T10:00:00.000Z' })
    const leaver = await addTestMember(home, 'EXPERT', email)
    const memberId = leaver.membershipId
    await setStaff(home.as.OWNER, { courseId, staff: [{ memberId, role: 'curator' }] })
    await inTenant(home.as.OWNER, (tx) =>
      tx.execute(`insert into workshop_staff (tenant_id, workshop_id, member_id, role)
        values (current_tenant(), '${workshopId}', '${memberId}', 'speaker')`),
    )
    await expect(removeMember(home.as.OWNER, { memberId }, teamAssignments)).rejects.toMatchObject({
      details: { fields: { courseHeirId: ['heir_required'] } },
    })
    const unsuitable = {
      memberId,
      courseHeirId: home.as.MENTOR.membershipId,
      eventHeirId: home.as.PRESENTER.membershipId,
    }
    await expect(removeMember(home.as.OWNER, unsuitable, teamAssignments)).rejects.toMatchObject({
      details: { fields: { courseHeirId: ['heir_unsuitable'] } },
    })
    const heirs = { courseHeirId: home.as.CURATOR.membershipId, eventHeirId: home.as.PRESENTER.membershipId }
    await removeMember(home.as.DIRECTOR, { memberId, ...heirs }, teamAssignments)
    expect(await memberOf(memberId)).toBeUndefined()
    expect(await findActor('unknown', home.tenant.subdomain)).toBeNull()
    const staff = await listStaff(home.as.OWNER, { courseId })
    expect(staff.filter(({ assignedRoles }) => assignedRoles.length > 0).map((row) => row.memberId)).toEqual([
      heirs.courseHeirId,
    ])
    const heirRow = await memberOf(heirs.eventHeirId)
    expect(heirRow?.events.map(({ id }) => id)).toContain(workshopId)
    expect((await actionsOn(memberId))[0]).toBe('member.removed')
    await expect(removeMember(home.as.OWNER, { memberId }, teamAssignments)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('a vacation', () => {
  const days = { firstDay: '2031-05-01', lastDay: '2031-05-10' }

  test('needs a deputy who reviews and is present, and does not overlap', async () => {
    const { CURATOR, EXPERT, MODERATOR, OWNER } = home.as
    const plan = (memberId: string, deputyId: string, change = {}) =>
      addVacation(OWNER, { memberId, deputyId, ...days, ...change })
    await expect(plan(CURATOR.membershipId, MODERATOR.membershipId)).rejects.toMatchObject({ code: 'unprocessable' })
    await expect(plan(CURATOR.membershipId, CURATOR.membershipId)).rejects.toMatchObject({ code: 'unprocessable' })
    await expect(plan(CURATOR.membershipId, EXPERT.membershipId, { lastDay: '2031-04-01' })).rejects.toMatchObject({
      details: { fields: { lastDay: ['vacation_order'] } },
    })
    await expect(plan(CURATOR.membershipId, home.as.MENTOR.membershipId)).rejects.toMatchObject({
      code: 'unprocessable',
    })
    const { vacationId } = await plan(CURATOR.membershipId, EXPERT.membershipId)
    await expect(plan(CURATOR.membershipId, EXPERT.membershipId)).rejects.toMatchObject({
      details: { fields: { firstDay: ['vacation_overlaps'] } },
    })
    await expect(plan(EXPERT.membershipId, CURATOR.membershipId)).rejects.toMatchObject({
      details: { fields: { deputyId: ['deputy_unsuitable'] } },
    })
    await cancelVacation(OWNER, { vacationId })
    await cancelVacation(OWNER, { vacationId })
    expect((await actionsOn(CURATOR.membershipId)).slice(0, 2)).toEqual([
      'member.vacation_canceled',
      'member.vacation_added',
    ])
  })
})

/** A school whose owner has a password, and a director who could become the owner. */
async function createTransferSchool() {
  const school = await createTestTenant('Передача')
  const ownerId = await createTestUser(`first${++count}@own.test`, PASSWORD)
  const { tenant } = school
  await addMember({
    tenantId: tenant.id,
    userId: ownerId,
    accountType: 'ACCOUNT_TYPE_PRODUCT_OWNER',
    status: 'active',
  })
  const { actor: owner, token: ownerToken } = await signInTestUser(ownerId, tenant.subdomain)
  const { DIRECTOR } = school.as
  const tokenFor = async (person: Actor) =>
    new URL((await newestEmailTo(person.email, tenant.id)).link).searchParams.get('ownership') ?? ''
  const request = { memberId: DIRECTOR.membershipId, password: PASSWORD }
  return { school, tenant, owner, ownerToken, DIRECTOR, request, tokenFor }
}

describe('ownership', () => {
  test('is transferred with the password and the confirmation of both', async () => {
    const { school, tenant, owner, ownerToken, DIRECTOR, request, tokenFor } = await createTransferSchool()
    await expect(requestTransfer(owner, { ...request, password: 'Wrong-2026!' })).rejects.toMatchObject({
      details: { fields: { password: ['password_wrong'] } },
    })
    await expect(requestTransfer(DIRECTOR, request)).rejects.toMatchObject({ code: 'forbidden' })
    await requestTransfer(owner, request)
    const [ownerLink, recipientLink] = [await tokenFor(owner), await tokenFor(DIRECTOR)]
    await expect(confirmOwnershipTransfer(school.as.EXPERT, { token: recipientLink })).rejects.toMatchObject({
      code: 'gone',
    })
    await expect(confirmOwnershipTransfer(owner, { token: recipientLink })).rejects.toMatchObject({ code: 'gone' })
    expect(await confirmOwnershipTransfer(DIRECTOR, { token: recipientLink })).toEqual({ isComplete: false })
    expect((await findActor(school.token.DIRECTOR, tenant.subdomain))?.roles).toEqual(['DIRECTOR'])
    expect(await confirmOwnershipTransfer(owner, { token: ownerLink })).toEqual({ isComplete: true })
    expect((await findActor(school.token.DIRECTOR, tenant.subdomain))?.roles).toEqual(['OWNER'])
    expect((await findActor(ownerToken, tenant.subdomain))?.roles).toEqual(['DIRECTOR'])
    await expect(confirmOwnershipTransfer(owner, { token: ownerLink })).rejects.toMatchObject({ code: 'gone' })
    const actions = (await listAuditEntries(school.as.OWNER, {})).items.map(({ action }) => action)
    expect(actions).toEqual(
      expect.arrayContaining(['ownership.transferred', 'ownership.confirmed', 'ownership.requested']),
    )
  })

  test('is kept when the transfer is canceled, once, and its links end', async () => {
    const { owner, DIRECTOR, request, tokenFor } = await createTransferSchool()
    await requestTransfer(owner, request)
    const link = await tokenFor(DIRECTOR)
    await cancelTransfer(owner)
    await cancelTransfer(owner)
    await expect(confirmOwnershipTransfer(DIRECTOR, { token: link })).rejects.toMatchObject({ code: 'gone' })
    const actions = await auditedActions(owner, DIRECTOR.membershipId)
    expect(actions).toEqual(['ownership.canceled', 'ownership.requested'])
  })

  test('a director cannot perform any action on the owner', async () => {
    const { DIRECTOR, OWNER, EXPERT } = home.as
    const memberId = OWNER.membershipId
    const refused = { code: 'forbidden' }
    const change = { memberId, revision: 1, roles: [], position: '' }
    await expect(changeMember(DIRECTOR, change)).rejects.toMatchObject(refused)
    await expect(blockMember(DIRECTOR, { memberId })).rejects.toMatchObject(refused)
    await expect(unblockMember(DIRECTOR, { memberId })).rejects.toMatchObject(refused)
    await expect(removeMember(DIRECTOR, { memberId }, teamAssignments)).rejects.toMatchObject(refused)
    const away = { memberId, deputyId: EXPERT.membershipId, firstDay: '2031-01-01', lastDay: '2031-01-02' }
    await expect(addVacation(DIRECTOR, away)).rejects.toMatchObject(refused)
    await expect(requestTransfer(DIRECTOR, { memberId, password: PASSWORD })).rejects.toMatchObject(refused)
    await expect(cancelTransfer(DIRECTOR)).rejects.toMatchObject(refused)
    expect((await findActor(home.token.OWNER, home.tenant.subdomain))?.roles).toEqual(['OWNER'])
  })

  test('the owner keeps the role whatever is chosen for it', async () => {
    const { OWNER } = home.as
    const { revision = 0 } = (await memberOf(OWNER.membershipId)) ?? {}
    const change = { memberId: OWNER.membershipId, revision, roles: [], position: 'Засновниця' }
    expect(await changeMember(OWNER, change)).toMatchObject({ roles: ['OWNER'] })
    await expect(blockMember(OWNER, { memberId: OWNER.membershipId })).rejects.toMatchObject({ code: 'forbidden' })
  })
})

test('a member of another school is not found by any action', async () => {
  const { OWNER } = home.as
  const memberId = other.as.CURATOR.membershipId
  const attempts = [
    () => changeMember(OWNER, { memberId, revision: 1 }),
    () => blockMember(OWNER, { memberId }),
    () => unblockMember(OWNER, { memberId }),
    () => removeMember(OWNER, { memberId }, teamAssignments),
    () => resendTeamInvitation(OWNER, { memberId }),
    () => cancelTeamInvitation(OWNER, { memberId }, teamAssignments),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'not_found' })
})

test('nothing changes in a school with expired plans', async () => {
  const actor = { ...home.as.OWNER, plans: [] }
  const change = { memberId: home.as.MENTOR.membershipId, revision: 1, roles: [] }
  await expect(changeMember(actor, change)).rejects.toMatchObject({ code: 'plan_inactive' })
  await expect(invite({}, actor)).rejects.toMatchObject({ code: 'plan_inactive' })
})

test('one person is owner, curator and student in three schools and switches between them', async () => {
  const third = await createTestTenant('Третя школа')
  const { userId } = home.as.OWNER
  const curator = {
    tenantId: other.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_TEAM_MEMBER',
    status: 'active',
  } as const
  await addMember({ ...curator, roles: ['CURATOR'] })
  const student = {
    tenantId: third.tenant.id,
    userId,
    accountType: 'ACCOUNT_TYPE_STUDENT',
    status: 'accepted',
  } as const
  await addMember(student)
  const { actor, token } = await signInTestUser(userId, home.tenant.subdomain)
  expect(actor.roles).toEqual(['OWNER'])
  const inSchool = async (tenantId: string, host: string) => {
    const chosen = actor.memberships.find((membership) => membership.tenantId === tenantId)
    const { redirect } = await switchMembership(actor, { membershipId: chosen?.membershipId ?? '' })
    return { redirect, roles: (await findActor(token, host))?.roles }
  }
  expect(await inSchool(other.tenant.id, other.tenant.subdomain)).toMatchObject({ roles: ['CURATOR'] })
  expect(await inSchool(third.tenant.id, 'go')).toMatchObject({ roles: ['STUDENT'] })
  expect(await inSchool(home.tenant.id, home.tenant.subdomain)).toMatchObject({ roles: ['OWNER'] })
})
