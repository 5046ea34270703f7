import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { LOCALES } from '#lib/core/shared/locale.ts'
import { NamePart, Patronymic } from '#lib/core/shared/text/person-name.ts'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { isTimeZone } from '#lib/core/shared/time-zone.ts'
import { Tag } from '../list/schema.ts'

const id = z.uuid()
const revision = z.coerce.number().int().min(1).max(2_147_483_647)

export const StudentId = z.object({ studentId: id })
export type StudentId = z.infer<typeof StudentId>

/** `revision` is that of the edited profile. */
export const UpdateProfile = z.object({
  studentId: id,
  revision,
  firstName: NamePart,
  lastName: NamePart,
  patronymic: Patronymic,
  phone: z
    .string()
    .trim()
    .regex(/^(\+?[\d\s()-]{5,20})?$/, 'format')
    .transform((phone) => phone || null),
  locale: z.enum(LOCALES, 'unknown_language'),
  timeZone: z.string().max(64).refine(isTimeZone, 'unknown_time_zone'),
})
export type UpdateProfile = z.infer<typeof UpdateProfile>

export const StudentTag = z.object({ studentId: id, tag: Tag })
export type StudentTag = z.infer<typeof StudentTag>

/** The tabs whose rows come from the modules above. */
export const ListSection = z.object({ studentId: id, section: z.string().max(40), cursor: Cursor })
export type ListSection = z.infer<typeof ListSection>

export const ListTimeline = z.object({
  studentId: id,
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(30),
})
export type ListTimeline = z.output<typeof ListTimeline>

const NoteText = multilineText(5000).min(1, 'required')
export const ListNotes = z.object({ studentId: id, cursor: Cursor })
export type ListNotes = z.infer<typeof ListNotes>
/** `noteId` is chosen by the form, so that posting it twice adds one note. */
export const AddNote = z.object({ studentId: id, noteId: id, text: NoteText })
export type AddNote = z.infer<typeof AddNote>
export const UpdateNote = z.object({ noteId: id, revision, text: NoteText })
export type UpdateNote = z.output<typeof UpdateNote>
export const NoteId = z.object({ noteId: id })
export type NoteId = z.infer<typeof NoteId>

export const StudentSession = z.object({ studentId: id, sessionId: id })
export type StudentSession = z.infer<typeof StudentSession>
