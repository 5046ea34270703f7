import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { previewMove } from '#lib/schedule/move/move.ts'
import { WorkingHours } from '#lib/schedule/working-hours/schema.ts'
import { getWorkingHours, saveWorkingHours } from '#lib/schedule/working-hours/working-hours.ts'
import { createEvent } from '../../setup/schedule.ts'
import { createOtherTenant, createTestTenant } from '../../setup/tenants.ts'

test('owners and directors set the working hours of their school once, and moves are compared with them', async () => {
  const home = await createTestTenant()
  const other = await createOtherTenant()
  const owner = home.as.OWNER
  expect(await getWorkingHours(home.as.MENTOR)).toEqual({ from: '08:00', to: '21:00' })
  const hours = { from: '09:30', to: '17:00' }
  await Promise.all([saveWorkingHours(owner, hours), saveWorkingHours(home.as.DIRECTOR, hours)])
  await saveWorkingHours(owner, hours)
  for (const role of ROLES.filter((name) => name !== 'OWNER' && name !== 'DIRECTOR')) {
    await expect(saveWorkingHours(home.as[role], { from: '00:00', to: '24:00' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  }
  expect(await getWorkingHours(home.as.MENTOR)).toEqual(hours)
  expect(await getWorkingHours(other.as.OWNER)).toEqual({ from: '08:00', to: '21:00' })
  const id = await createEvent(owner, 'Ефір', new Date('2027-04-07T15:00:00Z'))
  const key = { day: '2027-04-07', kind: 'webinar' as const, id }
  const { conflicts } = await previewMove(owner, { key, startAt: new Date('2027-04-08T15:00:00Z') })
  expect(conflicts?.outsideHours).toEqual(hours)
  await saveWorkingHours(owner, { from: '00:00', to: '24:00' })
  const after = await previewMove(owner, { key, startAt: new Date('2027-04-08T15:00:00Z') })
  expect(after.conflicts?.outsideHours).toBeNull()
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ hours: string }>(sql`select after ->> 'workingHours' as hours from audit_entry
      where action = 'settings.changed' order by id`),
  )
  expect(rows.at(-1)).toEqual({ hours: '00:00–24:00' })
})

test('working hours begin before they end, within one day', () => {
  const isValid = (from: string, to: string) => WorkingHours.safeParse({ from, to }).success
  expect([isValid('00:00', '24:00'), isValid('08:00', '08:01')]).toEqual([true, true])
  expect([isValid('08:00', '08:00'), isValid('22:00', '06:00'), isValid('24:00', '24:00')]).toEqual(
    Array(3).fill(false),
  )
  expect([isValid('', '21:00'), isValid('8', '21:00'), isValid('08:00', '25:00')]).toEqual(Array(3).fill(false))
})
