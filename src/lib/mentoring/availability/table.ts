import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { lengthCheck, versionChecks } from '../../core/db/checks.ts'
import { createdAt, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import type { DateOverride, DayRange, Travel } from './schema.ts'

/** The hours in which a mentor has sessions. */
export const mentorAvailability = pgTable(
  'mentor_availability',
  {
    tenantId: tenantId().references(() => tenant.id),
    memberId: uuid().notNull(),
    timeZone: text().notNull(),
    weekly: jsonb().$type<DayRange[][]>().notNull(),
    overrides: jsonb().$type<DateOverride[]>().notNull().default([]),
    travels: jsonb().$type<Travel[]>().notNull().default([]),
    version: integer().notNull().default(1),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memberId] }),
    memberKey('mentor_availability_member', [table.tenantId, table.memberId]),
    ...versionChecks(table.version),
    lengthCheck(table.timeZone, 64),
  ],
)
