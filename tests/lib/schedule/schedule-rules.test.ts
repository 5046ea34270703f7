import { expect, test } from 'vitest'
import { ROLES, type Role } from '#lib/core/shared/role.ts'
import { canChangeWorkingHours, canShiftGroups, scheduleScope } from '#lib/schedule/rules.ts'

test('the schedule shows what belongs to the role', () => {
  const scopes: Partial<Record<Role, string>> = {
    OWNER: 'all',
    DIRECTOR: 'all',
    EXPERT: 'all',
    STUDENT: 'student',
    CURATOR: 'assigned',
    PRESENTER: 'assigned',
    MODERATOR: 'assigned',
    MENTOR: 'assigned',
  }
  for (const role of ROLES) expect([role, scheduleScope({ roles: [role] })]).toEqual([role, scopes[role] ?? 'notes'])
  expect(scheduleScope({ roles: [] })).toBe('notes')
  expect(scheduleScope({ roles: ['CURATOR', 'EXPERT'] })).toBe('all')
})

test('those who see everything shift groups, and managers set the working hours', () => {
  const rolesWith = (rule: (actor: { roles: Role[] }) => boolean) => ROLES.filter((role) => rule({ roles: [role] }))
  expect(rolesWith(canShiftGroups).toSorted()).toEqual(['DIRECTOR', 'EXPERT', 'OWNER'])
  expect(rolesWith(canChangeWorkingHours).toSorted()).toEqual(['DIRECTOR', 'OWNER'])
})
