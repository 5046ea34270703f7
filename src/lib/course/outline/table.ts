import { index, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { courseKey } from '../table.ts'
import type { LessonChange, ModuleChange } from './schema.ts'

/** What an act changed in a row: what there was before, and what it put there. */
export interface RowChange<Fields> {
  id: string
  before: Fields
  after: Fields
}

export type LessonFields = LessonChange & { title?: string; deleted?: boolean }
export type ModuleFields = ModuleChange & { deleted?: boolean }

/** All that is needed to take an act on the outline back. */
export interface OutlineEffect {
  lessons?: RowChange<LessonFields>[]
  modules?: RowChange<ModuleFields>[]
  /** Lessons that went from one module to another, or to another place in their own. */
  places?: { id: string; from: string; to: string }[]
  /** The order of lessons by module, or of modules by course, as it was. */
  order?: Record<string, string[]>
  /** A module that went to another place. */
  movedModule?: string
  /** Versions that students read before and after, with the instant of the former. */
  published?: { id: string; before: number | null; before_at: string | null; after: number }[]
}

/** One act on a course's outline, kept for as long as it can be taken back. */
export const outlineChange = pgTable(
  'outline_change',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    by: uuid().notNull(),
    at: createdAt(),
    effect: jsonb().$type<OutlineEffect>().notNull(),
    undoneAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('outline_change_course', [table.tenantId, table.courseId]),
    memberKey('outline_change_by', [table.tenantId, table.by]),
    index().on(table.tenantId, table.at),
    index().on(table.tenantId, table.courseId),
  ],
)
