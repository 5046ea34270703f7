import { z } from 'zod'
import { isStorable, text } from '#lib/core/shared/text/text.ts'
import { StartUpload } from '#lib/storage/schema.ts'
import { MOST_BYTES } from '../rules.ts'

const id = z.uuid()

/** Letters of an answer. */
export const ANSWER_LIMIT = 50_000
export const MESSAGE_LIMIT = 4000
/** Files of a draft that nobody has touched for so long are removed; the words stay. */
export const DRAFT_DAYS = 60

/** Never trimmed: somebody is still writing it. */
const answer = z.string().max(ANSWER_LIMIT).refine(isStorable, 'format')

export const LessonHomework = z.object({ lessonId: id })

/** An attempt by its number: a page that shows an older one never writes into a newer. */
const OneAttempt = z.object({ taskId: id, attempt: z.number().int().min(1).max(1000) })
export const OwnAttempt = OneAttempt
export type OwnAttempt = z.infer<typeof OwnAttempt>

/** `version` 0: nothing of this attempt is at the school yet. */
export const SaveDraft = OneAttempt.extend({ version: z.int32().min(0), text: answer })
export type SaveDraft = z.infer<typeof SaveDraft>
export const SubmitWork = OneAttempt.extend({ text: answer })
export type SubmitWork = z.infer<typeof SubmitWork>

const About = StartUpload.omit({ parentId: true })
export const StartWorkUpload = OneAttempt.extend(About.shape)
export type StartWorkUpload = z.input<typeof StartWorkUpload>
/** Bytes of a recording so far; it grows while it is uploaded. */
export const GrowWorkUpload = OneAttempt.extend({ uploadId: id, size: z.number().int().min(1).max(MOST_BYTES) })
export type GrowWorkUpload = z.infer<typeof GrowWorkUpload>
export const StartVoice = About.extend({ submissionId: id })
export type StartVoice = z.input<typeof StartVoice>
export const RemoveWorkFile = OneAttempt.extend({ fileId: id })
export type RemoveWorkFile = z.infer<typeof RemoveWorkFile>

/** `studentId` is for reviewers; a student's own talk needs none. */
export const Talk = z.object({ taskId: id, studentId: id.optional() })
export type Talk = z.infer<typeof Talk>
/** `key` is made where the words are written: the same message sent twice is one. */
export const SendMessage = Talk.extend({ body: text(MESSAGE_LIMIT).min(1, 'required'), key: id.optional() })
export type SendMessage = z.input<typeof SendMessage>
