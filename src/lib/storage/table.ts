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
import type { PlayerStoryboard, Rendition, StreamFacts } from './video/schema.ts'

const size = () => bigint({ mode: 'number' })

/** A file or a folder of a tenant. The original is in the object store under `<tenant>/<id>`. */
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
    /** Of the whole file; null until computed. */
    sha256: text(),
    /** Digest of the size, the first and the last megabyte. */
    sample: text(),
    width: integer(),
    height: integer(),
    /** Widths in pixels of the smaller versions of a picture. */
    widths: integer().array().notNull().default([]),
    ownerId: uuid().notNull(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
    deletedAt: instant(),
    /** Files that were deleted together are restored together: the id of their topmost row. */
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
    // Folders first, names in natural order. The collation is created by the initial migration.
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

/** An upload. When it is finished, a file of the same id exists. */
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
    /** Id of the multipart upload in the object store. */
    storeId: text().notNull(),
    state: text({ enum: UPLOAD_STATES }).notNull().default('uploadStarted'),
    failure: text({ enum: FILE_FAILURES }),
    createdAt: createdAt(),
    /** When a part was last requested. */
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

/** Encoding state and output of a video or audio file. */
export const video = pgTable(
  'video',
  {
    tenantId: tenantId().references(() => tenant.id),
    fileId: uuid().notNull(),
    state: text({ enum: VIDEO_STATES }).notNull().default('queued'),
    /** Percent. */
    progress: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    failure: text({ enum: FILE_FAILURES }),
    /** Last output of the encoder, for support. */
    failureDetail: text(),
    /** Waits for free disk space. */
    waitsForDisk: boolean().notNull().default(false),
    /** Seconds. */
    duration: integer(),
    /** The end of the file is missing: `duration` covers the readable part. */
    truncated: boolean().notNull().default(false),
    hasPicture: boolean().notNull().default(false),
    hasSound: boolean().notNull().default(false),
    renditions: jsonb().$type<Rendition[]>().notNull().default([]),
    /** The audio track is encoded. */
    soundReady: boolean().notNull().default(false),
    soundFacts: jsonb().$type<StreamFacts>(),
    /** Bytes of the output, as counted in `storage_use`. */
    made: size().notNull().default(0),
    /** Number of poster candidates, and the chosen one. */
    posters: integer().notNull().default(0),
    poster: integer().notNull().default(0),
    storyboard: jsonb().$type<PlayerStoryboard>(),
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

/** History of the states of uploads and files. Ids are those of `upload` and `file`. */
export const fileState = pgTable(
  'file_state',
  {
    tenantId: tenantId().references(() => tenant.id),
    id: id(),
    fileId: uuid().notNull(),
    event: text({ enum: FILE_EVENTS }).notNull(),
    /** E.g. the height of a finished resolution, or the reason of a failure. */
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
    /** Generated and not edited yet. */
    auto: boolean().notNull().default(false),
    updatedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.fileId, table.lang] }),
    fileKey('caption_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    ...enumChecks(table),
  ],
)

/** The last request to generate captions or texts of a video, and its progress. */
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
    requestedAt: createdAt(),
    /** Time of the last progress. */
    touchedAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.fileId, table.kind, table.lang] }),
    fileKey('generation_file', [table.tenantId, table.fileId]).onDelete('cascade'),
    ...enumChecks(table),
    percentCheck(table.progress),
  ],
)

/** Users of a file, e.g. lessons. Written by `attachFiles`, with their titles. */
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

/** Storage of a tenant in bytes, updated in the transaction of each change. */
export const storageUse = pgTable(
  'storage_use',
  {
    tenantId: tenantId().references(() => tenant.id),
    /** Originals, including the trash: the plan's limit counts these. */
    original: size().notNull().default(0),
    /** Derived files: resolutions, posters, smaller pictures. */
    made: size().notNull().default(0),
    /** Reserved for running uploads. */
    promised: size().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.tenantId] }), ...countChecks(table.original, table.made, table.promised)],
)

/** Saved playback position of a member, in seconds. */
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

/** Foreign key to a file. */
export const fileKey = keyTo(file)
