import { integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { PERIODS, PLANS } from '../core/shared/plan.ts'
import { PLAN_GROUPS } from '../core/shared/role.ts'
import { tenant } from '../tenant/table.ts'

/** A tenant's plan in one group: the current one and the pending one. */
export const subscription = pgTable(
  'subscription',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    group: text({ enum: PLAN_GROUPS }).notNull(),
    state: text({ enum: ['current', 'pending'] })
      .notNull()
      .default('current'),
    plan: text({ enum: PLANS }).notNull(),
    period: text({ enum: PERIODS }).notNull(),
    trialEndsAt: instant(),
    nextPayment: instant(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    unique().on(table.tenantId, table.group, table.state),
    ...enumChecks(table),
  ],
)

/** Additional quantities of a limit, e.g. more disc space. */
export const addOn = pgTable(
  'add_on',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    limit: text().notNull(),
    quantity: integer().notNull(),
    nextPayment: instant(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] }), ...countChecks(table.quantity)],
)
