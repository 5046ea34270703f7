import { expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { canManageFiles, resumePosition } from '#lib/storage/rules.ts'

test.each(ROLES)('%s puts files into the storage, or not', (role) => {
  const allowed = role === 'OWNER' || role === 'DIRECTOR' || role === 'EXPERT'
  expect(canManageFiles({ roles: [role] })).toEqual({
    allow: allowed,
    because: allowed ? 'manages_content' : 'no_storage_role',
  })
})

test('a recording goes on where it was left, but begins anew within its last five seconds', () => {
  expect([resumePosition(594.9, 600), resumePosition(595, 600), resumePosition(600, 600)]).toEqual([594.9, 0, 0])
  expect(resumePosition(42, null)).toBe(42)
})

test('of a short one the last twentieth counts as its end', () => {
  expect([resumePosition(18.9, 20), resumePosition(19, 20)]).toEqual([18.9, 0])
})
