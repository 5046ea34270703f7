import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { studyGroupKey } from '../learning/table.ts'

/** A curator of the course who is responsible for a study group. */
export const studyGroupCurator = pgTable(
  'study_group_curator',
  {
    tenantId: tenantId().references(() => tenant.id),
    groupId: uuid().notNull(),
    memberId: uuid().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.groupId, table.memberId] }),
    studyGroupKey('study_group_curator_group', [table.tenantId, table.groupId]),
    memberKey('study_group_curator_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId),
  ],
)
