import { index, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, tenantId } from '../../core/db/columns.ts'
import { tenant } from '../../tenant/table.ts'
import { memberKey } from '../../user/table.ts'
import { courseKey } from '../table.ts'
import type { LessonSettingsChange, ModuleChange } from './schema.ts'

/** The fields of a row before and after a change. */
export interface RowChange<Fields> {
  id: string
  before: Fields
  after: Fields
}

export type LessonFields = LessonSettingsChange & { title?: string; deleted?: boolean }
export type ModuleFields = ModuleChange & { deleted?: boolean }

/** The data that undoing an outline change needs. */
export interface OutlineEffect {
  lessons?: RowChange<LessonFields>[]
  modules?: RowChange<ModuleFields>[]
  /** Lessons that were moved to another module, or to another position in their module. */
  places?: { id: string; from: string; to: string }[]
  /** The previous order of lessons by module, or of modules by course. */
  order?: Record<string, string[]>
  /** A module that was moved. */
  movedModule?: string
  /** Published versions before and after, with the time of the previous publication. */
  published?: { id: string; before: number | null; before_at: string | null; after: number }[]
}

/** One change of a course's outline, kept as long as it can be undone. */
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
