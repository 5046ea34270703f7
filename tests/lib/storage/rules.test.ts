import { expect, test } from 'vitest'
import { ROLES } from '#lib/core/shared/role.ts'
import { canManageFiles, resumePosition } from '#lib/storage/rules.ts'

test.each(ROLES)('%s may upload files, or not', (role) => {
  const allowed = role === 'OWNER' || role === 'DIRECTOR' || role === 'EXPERT'
  expect(canManageFiles({ roles: [role] })).toEqual({
    allow: allowed,
    reason: allowed ? 'manages_content' : 'no_storage_role',
  })
})

test('playback resumes at the stored position, and restarts within the last five seconds', () => {
  expect([resumePosition(594.9, 600), resumePosition(595, 600), resumePosition(600, 600)]).toEqual([594.9, 0, 0])
  expect(resumePosition(42, null)).toBe(42)
})

test('the last twentieth of a short video counts as its end', () => {
  expect([resumePosition(18.9, 20), resumePosition(19, 20)]).toEqual([18.9, 0])
})
