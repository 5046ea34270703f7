import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { DAY_SECONDS } from '#lib/core/shared/time.ts'
import { lengthCheck, rangeCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, tenantId } from '../core/db/columns.ts'
import { tenant } from '../tenant/table.ts'
import { participantKey } from '../workshop/session/event-table.ts'
import { workshopKey } from '../workshop/table.ts'
import type { MasterclassContent } from './schema.ts'

/** The page of a masterclass. */
export const masterclass = pgTable(
  'masterclass',
  {
    tenantId: tenantId().references(() => tenant.id),
    workshopId: uuid().notNull(),
    content: jsonb().$type<MasterclassContent>().notNull(),
    version: integer().notNull().default(1),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.workshopId] }),
    workshopKey('masterclass_workshop', [table.tenantId, table.workshopId]),
    ...versionChecks(table.version),
  ],
)

/** Watching progress of a visitor in a part. */
export const masterclassWatch = pgTable(
  'masterclass_watch',
  {
    tenantId: tenantId().references(() => tenant.id),
    workshopId: uuid().notNull(),
    participantId: uuid().notNull(),
    partId: text().notNull(),
    /** Last position. */
    second: integer().notNull().default(0),
    /** Merged ranges of watched seconds; they only grow. */
    watched: jsonb().$type<[number, number][]>().notNull().default([]),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.participantId, table.partId] }),
    participantKey('masterclass_watch_participant', [table.tenantId, table.participantId]),
    index().on(table.tenantId, table.workshopId, table.partId),
    rangeCheck(table.second, 0, DAY_SECONDS),
    lengthCheck(table.partId, 40),
  ],
)
