import { expect, test } from 'vitest'
import {
  CHAT_MANAGERS,
  CHAT_ROLES,
  type ConversationFacts,
  canAddParticipants,
  canDeleteMessage,
  canExportChat,
  canLeaveConversation,
  canManageChat,
  canMentionAll,
  canPin,
  canPost,
  canReadConversation,
  canStartConversation,
  canWriteTo,
  type Relation,
} from '#lib/chat/rules.ts'
import { CONTACT_POLICIES, CONVERSATION_KINDS } from '#lib/chat/schema.ts'
import { hasRole, ROLES, type Role } from '#lib/core/shared/role.ts'

const NONE: Relation = { isSelf: false, isAssigned: false, sharesCourse: false, hasWritten: false }
const personWith = (role: Role) => ({ roles: [role] })
const TEAM = CHAT_ROLES.filter((role) => role !== 'STUDENT')
const FACTS: ConversationFacts = {
  kind: 'course',
  postPolicy: 'all',
  isParticipant: false,
  hasAccess: false,
  isAssigned: false,
  isDeputy: false,
  isBanned: false,
}

test('team members write to each other; a member without a role has no chat', () => {
  for (const role of ROLES)
    for (const other of ROLES.filter((name) => name !== 'STUDENT')) {
      if (role === 'STUDENT') continue
      const expected = role !== 'MEMBER' && other !== 'MEMBER'
      expect([role, other, canWriteTo(personWith(role), personWith(other), NONE, 'assigned').allow]).toEqual([
        role,
        other,
        expected,
      ])
    }
})

test('a student writes to assigned staff, to others only if the school opens it', () => {
  for (const role of TEAM) {
    const reasons = CONTACT_POLICIES.map(
      (policy) => canWriteTo(personWith('STUDENT'), personWith(role), NONE, policy).reason,
    )
    expect(reasons).toEqual(['not_assigned', 'school_opened', 'school_opened'])
    expect(canWriteTo(personWith('STUDENT'), personWith(role), { ...NONE, isAssigned: true }, 'assigned').reason).toBe(
      'assigned',
    )
    expect(canWriteTo(personWith('STUDENT'), personWith(role), { ...NONE, hasWritten: true }, 'assigned').reason).toBe(
      'answers',
    )
  }
  expect(canWriteTo(personWith('STUDENT'), personWith('MEMBER'), { ...NONE, isAssigned: true }, 'everyone').allow).toBe(
    false,
  )
})

test('managers write to every student, other staff to students who are assigned to them', () => {
  for (const role of TEAM) {
    const manages = hasRole(personWith(role), CHAT_MANAGERS)
    expect([role, canWriteTo(personWith(role), personWith('STUDENT'), NONE, 'assigned').allow]).toEqual([role, manages])
    expect(canWriteTo(personWith(role), personWith('STUDENT'), { ...NONE, isAssigned: true }, 'assigned').allow).toBe(
      true,
    )
    expect(canWriteTo(personWith(role), personWith('STUDENT'), NONE, 'staff').allow).toBe(true)
  }
})

test('students write to each other only in a school that opens it, and within a course', () => {
  const classmates = { ...NONE, sharesCourse: true }
  const allowed = CONTACT_POLICIES.map(
    (policy) => canWriteTo(personWith('STUDENT'), personWith('STUDENT'), classmates, policy).allow,
  )
  expect(allowed).toEqual([false, false, true])
  expect(canWriteTo(personWith('STUDENT'), personWith('STUDENT'), NONE, 'everyone').allow).toBe(false)
})

test('nobody writes to themselves', () => {
  for (const role of ROLES)
    expect(
      canWriteTo(personWith(role), personWith(role), { ...NONE, isSelf: true, isAssigned: true }, 'everyone').allow,
    ).toBe(false)
})

test('who reads each kind of conversation', () => {
  const readers = (facts: Partial<ConversationFacts>) =>
    ROLES.filter((role) => canReadConversation(personWith(role), { ...FACTS, ...facts }).allow)
  for (const kind of CONVERSATION_KINDS) {
    expect(readers({ kind, isParticipant: true })).toEqual([...CHAT_ROLES])
    const isPrivate = kind === 'direct' || kind === 'team'
    expect(readers({ kind })).toEqual(isPrivate ? [] : [...CHAT_MANAGERS])
    const staffReads = isPrivate ? [] : kind === 'support' ? [...CHAT_MANAGERS] : TEAM
    expect(readers({ kind, isAssigned: true })).toEqual(staffReads)
  }
  for (const kind of ['course', 'group'] as const) {
    expect(readers({ kind, hasAccess: true })).toContain('STUDENT')
    expect(readers({ kind, hasAccess: true, isBanned: true })).toEqual([])
  }
  for (const kind of ['lesson', 'support', 'direct', 'team'] as const)
    expect(readers({ kind, hasAccess: true })).not.toContain('STUDENT')
})

test('in a conversation for announcements only staff post', () => {
  const facts = { ...FACTS, postPolicy: 'staff', isAssigned: true, hasAccess: true } as const
  expect(ROLES.filter((role) => canPost(personWith(role), facts).allow)).toEqual(TEAM)
  expect(canPost(personWith('STUDENT'), facts).reason).toBe('staff_only')
  expect(canPost(personWith('STUDENT'), { ...facts, postPolicy: 'all', isAssigned: false }).allow).toBe(true)
})

test('who begins each kind of conversation', () => {
  const starters = (kind: ConversationFacts['kind'], isAssigned: boolean, hasAccess: boolean) =>
    ROLES.filter((role) => canStartConversation(personWith(role), { kind, isAssigned, hasAccess }).allow)
  expect(starters('direct', false, false)).toEqual([...CHAT_ROLES])
  expect(starters('team', false, false)).toEqual(TEAM)
  expect(starters('support', false, false)).toEqual(['STUDENT'])
  expect(starters('lesson', false, false)).toEqual([])
  expect(starters('lesson', true, true)).toEqual(['STUDENT'])
  for (const kind of ['course', 'group'] as const) {
    expect(starters(kind, false, true)).toEqual([...CHAT_MANAGERS])
    expect(starters(kind, true, false)).toEqual(TEAM)
  }
})

test('an author deletes the own message, managers and assigned staff those of others outside of private ones', () => {
  const message = { authorId: 'author', isDeleted: false }
  const allowed = (role: Role, kind: ConversationFacts['kind'], isAssigned = false, membershipId = 'me') =>
    canDeleteMessage({ ...personWith(role), membershipId }, message, { kind, isAssigned }).allow
  for (const role of CHAT_ROLES) {
    const isManager = hasRole(personWith(role), CHAT_MANAGERS)
    for (const kind of CONVERSATION_KINDS) {
      const isPrivate = kind === 'direct' || kind === 'team'
      expect(allowed(role, kind, false, 'author')).toBe(true)
      expect([role, kind, allowed(role, kind)]).toEqual([role, kind, isManager && !isPrivate])
      expect(allowed(role, kind, true)).toBe(role !== 'STUDENT' && !isPrivate)
    }
  }
  const deleted = { ...message, isDeleted: true }
  expect(canDeleteMessage({ ...personWith('OWNER'), membershipId: 'author' }, deleted, FACTS).allow).toBe(false)
})

test('who pins and mentions everyone in each kind of conversation', () => {
  const allowed = (rule: typeof canPin, facts: Partial<ConversationFacts>) =>
    ROLES.filter((role) => rule(personWith(role), { ...FACTS, ...facts }).allow)
  for (const kind of CONVERSATION_KINDS) {
    const isPrivate = kind === 'direct' || kind === 'team'
    const isLarge = kind === 'course' || kind === 'group' || kind === 'team'
    expect([kind, allowed(canPin, { kind, isParticipant: true })]).toEqual([kind, isPrivate ? [...CHAT_ROLES] : TEAM])
    expect([kind, allowed(canMentionAll, { kind, isParticipant: true })]).toEqual([kind, isLarge ? TEAM : []])
    for (const rule of [canPin, canMentionAll]) expect(allowed(rule, { kind, isBanned: true })).toEqual([])
  }
})

test('participants leave and fill conversations of the team only', () => {
  for (const rule of [canLeaveConversation, canAddParticipants])
    for (const kind of CONVERSATION_KINDS)
      for (const isParticipant of [true, false]) {
        const allowed = ROLES.filter((role) => rule(personWith(role), { ...FACTS, kind, isParticipant }).allow)
        expect([kind, isParticipant, allowed]).toEqual([
          kind,
          isParticipant,
          kind === 'team' && isParticipant ? [...CHAT_ROLES] : [],
        ])
      }
})

test('the deputy of a curator on vacation reads direct conversations only', () => {
  for (const kind of CONVERSATION_KINDS) {
    const allowed = ROLES.filter(
      (role) => canReadConversation(personWith(role), { ...FACTS, kind, isDeputy: true }).reason === 'deputy',
    )
    expect([kind, allowed]).toEqual([kind, kind === 'direct' ? TEAM : []])
  }
})

test('only owners and directors change the settings, and only owners export', () => {
  expect(ROLES.filter((role) => canManageChat(personWith(role)).allow)).toEqual(['OWNER', 'DIRECTOR'])
  expect(ROLES.filter((role) => canExportChat(personWith(role)).allow)).toEqual(['OWNER'])
})
