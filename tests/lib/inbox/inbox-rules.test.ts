import { expect, test } from 'vitest'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import type { Verdict } from '#lib/core/shared/verdict.ts'
import { canChangeAnswerTime, canUseInbox } from '#lib/inbox/rules.ts'

const rolesWith = (rule: (person: { roles: Role[] }) => Verdict) =>
  ROLES.filter((role) => {
    const { allow, reason } = rule({ roles: [role] })
    expect(reason).toMatch(/^[a-z_]+$/)
    return allow
  }).toSorted()

test('those who answer students have an inbox, and managers promise the time of an answer', () => {
  expect(rolesWith(canUseInbox)).toEqual(['CURATOR', 'DIRECTOR', 'EXPERT', 'MENTOR', 'OWNER'])
  expect(rolesWith(canChangeAnswerTime)).toEqual(['DIRECTOR', 'OWNER'])
  expect(canUseInbox({ roles: ['STUDENT'] }).reason).toBe('no_inbox')
  expect(canChangeAnswerTime({ roles: ['EXPERT'] }).reason).toBe('managers_only')
})
