import { isNull, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { countChecks, enumChecks, percentCheck, rangeCheck } from '../core/db/checks.ts'
import { createdAt, id, instant, keyTo, tenantId } from '../core/db/columns.ts'
import {
  CAPTION_LANGS,
  FILE_AREAS,
  FILE_EVENTS,
  FILE_FAILURES,
  FILE_KINDS,
  FILE_USER_KINDS,
  GENERATION_FAILURES,
  GENERATION_KINDS,
  GENERATION_STATES,
  UPLOAD_STATES,
  VIDEO_STATES,
} from '../core/shared/stored-file.ts'
import { tenant } from '../tenant/table.ts'
import { memberKey } from '../user/table.ts'
import type { Rendition, Storyboard, StreamFacts } from './video/schema.ts'

const size = () => bigint({ mode: 'number' })

/** A file or a folder of a school. A file's bytes lie in the object store under `<tenant>/<id>`. */
export const file = pgTable(
  'file',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    parentId: uuid(),
    area: text({ enum: FILE_AREAS }).notNull().default('storage'),
    kind: text({ enum: FILE_KINDS }).notNull().default('file'),
    name: text().notNull(),
    description: text().notNull().default(''),
    mime: text().notNull().default(''),
    size: size().notNull().default(0),
    /** Of the whole file; null until it is known. */
    sha256: text(),
    /** Of size, first and last megabyte. */
    sample: text(),
    width: integer(),
    height: integer(),
    /** Widths in pixels for which there are smaller pictures. */
    widths: integer().array().notNull().default([]),
    ownerId: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
    /** What was deleted with one gesture comes back with one: the id of its topmost row. */
    deletedWith: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('file_owner', [table.tenantId, table.ownerId]),
    foreignKey({
      name: 'file_parent',
      columns: [table.tenantId, table.parentId],
      foreignColumns: [table.tenantId, table.id],
    }),
    uniqueIndex('file_folder_name')
      .on(table.tenantId, sql`coalesce(${table.parentId}, '00000000-0000-0000-0000-000000000000'::uuid)`, table.name)
      .where(sql`${table.kind} = 'folder' and ${table.deletedAt} is null`),
    // Folders first, names as people sort them. The collation is made by the initial migration.
    index('file_by_name')
      .on(
        table.tenantId,
        table.parentId,
        sql`(${table.kind} <> 'folder')`,
        sql`${table.name} collate natural_order`,
        table.id,
      )
      .where(isNull(table.deletedAt)),
    index().on(table.tenantId, table.parentId, table.size, table.id),
    index().on(table.tenantId, table.parentId, table.createdAt, table.id),
    index().on(table.tenantId, table.size),
    index().on(table.tenantId, table.sample),
    index().on(table.tenantId, table.deletedAt),
    index().on(table.tenantId, table.ownerId),
    ...enumChecks(table),
    ...countChecks(table.size),
    rangeCheck(table.width, 1),
    rangeCheck(table.height, 1),
  ],
)

/** An upload on its way. When it is finished, a file of the same id exists. */
export const upload = pgTable(
  'upload',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    parentId: uuid(),
    ownerId: uuid().notNull(),
    name: text().notNull(),
    area: text({ enum: FILE_AREAS }).notNull().default('storage'),
    kind: text({ enum: FILE_KINDS }).notNull(),
    mime: text().notNull(),
    size: size().notNull(),
    sample: text().notNull(),
    /** The object store's own name of the upload in parts. */
    storeId: text().notNull(),
    state: text({ enum: UPLOAD_STATES }).notNull().default('uploadStarted'),
    failure: text({ enum: FILE_FAILURES }),
    createdAt: createdAt(),
    /** When a part was last asked for. */
    touchedAt: createdAt(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    memberKey('upload_owner', [table.tenantId, table.ownerId]),
    index().on(table.tenantId, table.ownerId, table.state, table.createdAt),
    index().on(table.state, table.touchedAt),
    ...enumChecks(table),
    ...countChecks(table.size),
  ],
)

/** How far the making of a video or a sound has come, and what was made. */
export const video = pgTable(
  'video',
  {
    tenantId: tenantId().references(() => tenant.id),
    fileId: uuid().notNull(),
    state: text({ enum: VIDEO_STATES }).notNull().default('queued'),
    /** Percent of the whole. */
    progress: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    failure: text({ enum: FILE_FAILURES }),
    /** The encoder's last words, for staff who ask for help. */
    failureDetail: text(),
    /** It waits until there is space on the disk again. */
    waitsForDisk: boolean().notNull().default(false),
    /** Seconds. */
    duration: integer(),
    /** The end of the file is missing: `duration` is what can be read of it. */
    truncated: boolean().notNull().default(false),
    hasPicture: boolean().notNull().default(false),
    hasSound: boolean().notNull().default(false),
    renditions: jsonb().$type<Rendition[]>().notNull().default([]),
    /** The sound alone is there. */
    soundReady: boolean().notNull().default(false),
    soundFacts: jsonb().$type<StreamFacts>(),
    /** Bytes of all that was made, as `storage_use` counts them. */
    made: size().notNull().default(0),
    /** How many poster candidates there are, and which one is shown. */
    posters: integer().notNull().default(0),
    poster: integer().notNull().default(0),
    storyboard: jsonb().$type<Storyboard>(),
    chapters: jsonb().$type<{ at: number; title: string }[]>().notNull().default([]),
    suggestedName: text(),
    suggestedDescription: text(),
    queuedAt: instant().notNull().defaultNow(),
    startedAt: instant(),
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.fileId] }),
    fileKey('video_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    index().on(table.state, table.queuedAt),
    ...enumChecks(table),
    percentCheck(table.progress),
    ...countChecks(table.attempts, table.duration, table.made, table.posters, table.poster),
  ],
)

/** Every state that an upload or a file came into, and when. Ids are those of `upload` and `file`. */
export const fileState = pgTable(
  'file_state',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    fileId: uuid().notNull(),
    event: text({ enum: FILE_EVENTS }).notNull(),
    /** E.g. the height of a finished resolution, or why something failed. */
    detail: text(),
    at: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index().on(table.tenantId, table.fileId, table.at),
    ...enumChecks(table),
  ],
)

export const caption = pgTable(
  'caption',
  {
    tenantId: tenantId().references(() => tenant.id),
    fileId: uuid().notNull(),
    lang: text({ enum: CAPTION_LANGS }).notNull(),
    /** WebVTT. */
    text: text().notNull(),
    /** Made by a machine and not corrected yet. */
    auto: boolean().notNull().default(false),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.fileId, table.lang] }),
    fileKey('caption_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    ...enumChecks(table),
  ],
)

/** What a machine was last asked to write about a video, and how far it has come. */
export const generation = pgTable(
  'generation',
  {
    tenantId: tenantId().references(() => tenant.id),
    fileId: uuid().notNull(),
    kind: text({ enum: GENERATION_KINDS }).notNull(),
    lang: text({ enum: CAPTION_LANGS }).notNull(),
    state: text({ enum: GENERATION_STATES }).notNull().default('queued'),
    failure: text({ enum: GENERATION_FAILURES }),
    /** Percent. */
    progress: integer().notNull().default(0),
    askedAt: createdAt(),
    /** When it was last heard of. */
    touchedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.fileId, table.kind, table.lang] }),
    fileKey('generation_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    ...enumChecks(table),
    percentCheck(table.progress),
  ],
)

/** What uses a file. Written by `attachFiles`, under a title that people know it by. */
export const fileUse = pgTable(
  'file_use',
  {
    tenantId: tenantId().references(() => tenant.id),
    fileId: uuid().notNull(),
    userKind: text({ enum: FILE_USER_KINDS }).notNull(),
    userId: uuid().notNull(),
    title: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.fileId, table.userKind, table.userId] }),
    fileKey('file_use_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    index().on(table.tenantId, table.userKind, table.userId),
    ...enumChecks(table),
  ],
)

/** A school's bytes, counted in the transaction of each change. */
export const storageUse = pgTable(
  'storage_use',
  {
    tenantId: tenantId().references(() => tenant.id),
    /** Of originals, the trash included: what the plan's limit counts. */
    original: size().notNull().default(0),
    /** Of what the product made of them: resolutions, posters, smaller pictures. */
    made: size().notNull().default(0),
    /** Promised to uploads on their way. */
    promised: size().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenantId] }), ...countChecks(table.original, table.made, table.promised)],
)

/** Where a person stopped watching, in seconds. */
export const playback = pgTable(
  'playback',
  {
    tenantId: tenantId().references(() => tenant.id),
    fileId: uuid().notNull(),
    memberId: uuid().notNull(),
    seconds: integer().notNull(),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.fileId, table.memberId] }),
    fileKey('playback_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    memberKey('playback_member', [table.tenantId, table.memberId]),
    index().on(table.tenantId, table.memberId),
    rangeCheck(table.seconds, 0, 1_000_000),
  ],
)

/** Ties a row to a file. */
export const fileKey = keyTo(file)
