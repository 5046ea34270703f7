import { afterAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { changeProgramStatus } from '#lib/mentoring/program/program.ts'
import { createMentoring } from '../../../setup/mentoring.ts'
import { listAuditEntries } from '../../../setup/parsed/audit.ts'

afterAll(() => pool.end())

test('the audit log tells who created, changed and published a program, and to whom it was given', async () => {
  const { home, programId } = await createMentoring()
  const { OWNER: owner, DIRECTOR: director } = home.as
  await changeProgramStatus(director, { programId, action: 'unpublish' })
  await changeProgramStatus(director, { programId, action: 'unpublish' })
  const { items } = await listAuditEntries(owner, { objectId: programId })
  const objectName = 'Портфоліо дизайнера'
  expect(items).toMatchObject([
    {
      action: 'program.changed',
      actor: { id: director.membershipId },
      before: { enabled: true },
      after: { enabled: false },
    },
    { action: 'program.students_changed', after: { students: 3 } },
    { action: 'program.changed', before: { enabled: false }, after: { enabled: true } },
    { action: 'program.changed', objectName },
    { action: 'program.created', actor: { id: owner.membershipId }, objectName },
  ])
})
