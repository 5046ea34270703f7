import { isNotNull } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, lengthCheck, versionChecks } from '../core/db/checks.ts'
import { createdAt, id, instant, tenantId } from '../core/db/columns.ts'
import { ROADMAP_VISIBILITY } from '../core/shared/learning.ts'
import { courseKey } from '../course/table.ts'
import { fileKey } from '../storage/table.ts'
import { tenant } from '../tenant/table.ts'
import type { RoadmapCallToAction, RoadmapStage } from './schema.ts'

/** The public learning road map of a course or a programme. */
export const roadmap = pgTable(
  'roadmap',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    courseId: uuid().notNull(),
    title: text().notNull(),
    intro: text().notNull().default(''),
    coverFileId: uuid(),
    visibility: text({ enum: ROADMAP_VISIBILITY }).notNull().default('link'),
    stages: jsonb().$type<RoadmapStage[]>().notNull().default([]),
    callToAct: jsonb().$type<RoadmapCallToAction>(),
    showProgress: boolean().notNull().default(true),
    views: integer().notNull().default(0),
    calls: integer().notNull().default(0),
    version: integer().notNull().default(1),
    // Null: only staff see it.
    publishedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    courseKey('roadmap_course', [table.tenantId, table.courseId]),
    fileKey('roadmap_cover', [table.tenantId, table.coverFileId]),
    index().on(table.tenantId, table.courseId),
    index().on(table.tenantId, table.coverFileId).where(isNotNull(table.coverFileId)),
    ...enumChecks(table),
    ...countChecks(table.views, table.calls),
    ...versionChecks(table.version),
    lengthCheck(table.title, 160),
    lengthCheck(table.intro, 2000),
  ],
)
