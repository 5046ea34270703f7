import { z } from 'zod'
import { Picture } from '#lib/storage/output-schema.ts'
import { WorkshopSettings } from './schema.ts'

const WorkshopListItem = z.object({
  id: z.string(),
  type: z.enum(['masterclass', 'webinar', 'autoWebinar']),
  title: z.string(),
  publication: z.enum(['draft', 'published']),
  status: z.enum(['finished', 'pending', 'upcoming', 'active', 'expired']),
  startAt: z.date().nullable(),
  timeZone: z.string(),
  plannedMinutes: z.number(),
  canceledAt: z.date().nullable(),
  archivedAt: z.date().nullable(),
  registered: z.number(),
  ownRoles: z.array(z.enum(['host', 'speaker', 'moderator'])),
  cover: Picture.nullable(),
})

export const WorkshopPage = z.object({ items: z.array(WorkshopListItem), next: z.string().nullable() })

const StudentWorkshop = z.object({
  id: z.string(),
  type: z.enum(['masterclass', 'webinar', 'autoWebinar']),
  title: z.string(),
  status: z.enum(['finished', 'pending', 'upcoming', 'active', 'expired']),
  startAt: z.date().nullable(),
  timeZone: z.string(),
  plannedMinutes: z.number(),
  access: z.enum(['open', 'registration', 'students', 'paid', 'link']),
  canceledAt: z.date().nullable(),
  registered: z.boolean(),
  cover: Picture.nullable(),
})

export const ListMineWorkshopOutput = z.array(StudentWorkshop)

export const GetWorkshopOutput = z.object({
  manages: z.boolean(),
  cover: Picture.nullable(),
  slides: z
    .object({ address: z.string(), id: z.string(), name: z.string(), mime: z.string(), size: z.number() })
    .nullable(),
  sessionId: z.string().nullable(),
  startedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  status: z.enum(['finished', 'pending', 'upcoming', 'active', 'expired']),
  confirmed: z.number(),
  interested: z.number(),
  ownRoles: z.array(z.enum(['host', 'speaker', 'moderator'])),
  id: z.string(),
  type: z.enum(['masterclass', 'webinar', 'autoWebinar']),
  title: z.string(),
  description: z.string(),
  coverFileId: z.string().nullable(),
  language: z.enum(['uk', 'en']),
  publication: z.enum(['draft', 'published']),
  startAt: z.date().nullable(),
  timeZone: z.string(),
  plannedMinutes: z.number(),
  access: z.enum(['open', 'registration', 'students', 'paid', 'link']),
  source: z.enum(['file', 'builtin']),
  slidesFileId: z.string().nullable(),
  settings: WorkshopSettings,
  scheduleVersion: z.number(),
  version: z.number(),
  createdBy: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
  publishedAt: z.date().nullable(),
  canceledAt: z.date().nullable(),
  archivedAt: z.date().nullable(),
})

export const CreateWorkshopOutput = z.object({ workshopId: z.string(), sessionId: z.string().nullable() })

export const SaveWorkshopOutput = z.object({ version: z.number() })

export const SaveSettingsOutput = z.object({ version: z.number() })

export const SetStaffWorkshopOutput = z.object({ people: z.number() })

export const AddItemOutput = z.object({ itemId: z.string() })

export const SaveItemOutput = z.object({ itemId: z.string() })

export const MoveItemOutput = z.object({ itemId: z.string() })

export const DeleteItemOutput = z.object({ itemId: z.string() })

export const RestoreItemOutput = z.object({ itemId: z.string() })

export const RegistrantCounts = z.object({ confirmed: z.number(), interested: z.number() })

export const UnpublishWorkshopOutput = z.object({ publication: z.enum(['draft', 'published']) })

export const CancelWorkshopOutput = z.object({ canceled: z.literal(true) })

export const ArchiveWorkshopOutput = z.object({ archived: z.boolean() })

export const RestoreWorkshopOutput = z.object({ archived: z.boolean() })

export const RecordRehearsalOutput = z.object({ recording: z.boolean() })

export const ComposeRehearsalOutput = z.object({ seconds: z.number() })

export const RehearsalViewingReport = z.object({
  viewers: z.number(),
  receivingCount: z.number(),
  minFrames: z.number(),
  maxFrames: z.number(),
})

export const FinishRehearsalOutput = z.object({ finished: z.literal(true) })

export const ArchiveManyWorkshopOutput = z.object({ archived: z.array(z.string()) })

export const RestoreManyWorkshopOutput = z.object({ restored: z.array(z.string()) })

export const DeleteManyOutput = z.object({ deleted: z.array(z.string()) })

export const UndoDeleteOutput = z.object({ restored: z.array(z.string()) })

export const PublishCheck = z.object({
  key: z.enum([
    'start',
    'host',
    'moderator',
    'rehearsal',
    'title',
    'description',
    'access',
    'slides',
    'materials',
    'cover',
  ]),
  passed: z.boolean(),
  isBlocking: z.boolean(),
})

export const PublishWorkshopOutput = z.object({ publication: z.enum(['draft', 'published']) })

export const DuplicateWorkshopOutput = z.object({ workshopId: z.string() })
