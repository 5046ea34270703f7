import { expect, test } from 'vitest'
import { canInviteStudents, invitationState, statusOnInvitation } from '#lib/student/rules.ts'

test('a refused invitation has a reason', () => {
  const invites = (role: 'OWNER' | 'DIRECTOR' | 'CURATOR' | 'EXPERT' | 'MENTOR', assigned: boolean) =>
    canInviteStudents({ roles: [role] }, assigned)
  expect(invites('OWNER', false)).toEqual({ allow: true, reason: 'manages_students' })
  expect(invites('DIRECTOR', false)).toEqual({ allow: true, reason: 'manages_students' })
  expect(invites('CURATOR', true)).toEqual({ allow: true, reason: 'curator_assigned' })
  expect(invites('CURATOR', false)).toEqual({ allow: false, reason: 'curator_not_assigned' })
  expect(invites('EXPERT', true)).toEqual({ allow: false, reason: 'expert_no_students' })
  expect(invites('MENTOR', true)).toEqual({ allow: false, reason: 'no_student_role' })
})

test.each([
  [null, false, 'invited'],
  [null, true, 'registered'],
  ['unknown', false, 'invited'],
  ['invited', true, 'registered'],
  ['registered', true, 'registered'],
  ['accepted', false, 'accepted'],
  ['accepted', true, 'accepted'],
] as const)('a student who is %s, with an account %s, becomes %s by an invitation', (status, hasAccount, after) => {
  expect(statusOnInvitation(status, hasAccount)).toBe(after)
})

const NOW = new Date('2026-11-22T10:00:00Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)
test.each([
  ['stands open until its end', { acceptedAt: null, revokedAt: null, expiresAt: at(1) }, 'open'],
  ['has expired at its end', { acceptedAt: null, revokedAt: null, expiresAt: at(0) }, 'expired'],
  ['stays revoked', { acceptedAt: null, revokedAt: at(-5), expiresAt: at(9) }, 'revoked'],
  ['that was accepted stays good', { acceptedAt: at(-9), revokedAt: at(-5), expiresAt: at(-1) }, 'accepted'],
])('an invitation %s', (_name, invitation, state) => {
  expect(invitationState(invitation, NOW)).toBe(state)
})
