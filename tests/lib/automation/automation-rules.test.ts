import { expect, test } from 'vitest'
import { canManageAutomations } from '#lib/automation/rules.ts'
import { ROLES } from '#lib/core/shared/role.ts'

test('those who see all students manage automations', () => {
  const allowed = ROLES.filter((role) => canManageAutomations({ roles: [role] }).allow)
  expect(allowed.toSorted()).toEqual(['DIRECTOR', 'OWNER'])
  expect(canManageAutomations({ roles: ['OWNER'] }).reason).toBe('manages')
  expect(canManageAutomations({ roles: ['EXPERT'] })).toEqual({ allow: false, reason: 'managers_only' })
})
