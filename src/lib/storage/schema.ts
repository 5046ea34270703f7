import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import {
  CAPTION_LANGS,
  type CaptionLang,
  FILE_KINDS,
  FILE_SORTS,
  MAX_CAPTION_BYTES,
  MAX_ZIP_FILES,
  type VideoState,
} from '#lib/core/shared/stored-file.ts'

export const FileName = z
  .string()
  .transform((name) =>
    name
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '')
      .trim()
      .slice(0, 200),
  )
  .pipe(z.string().min(1, 'required'))

export const FileId = z.uuid()
export const FileRef = z.object({ fileId: FileId })
/** Null is the storage's own top. */
const FolderId = FileId.nullable()
export const FileRefs = z.object({ fileIds: z.array(FileId).min(1).max(1000) })

export const ListFiles = z.object({
  folderId: FolderId.default(null),
  /** Finds by name in all folders when given. */
  search: z.string().trim().max(100).default(''),
  kind: z.enum(FILE_KINDS).optional(),
  use: z.enum(['used', 'unused']).optional(),
  /** Bytes at least. */
  minSize: z.coerce.number().int().min(0).optional(),
  sort: z.enum(FILE_SORTS).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
  /** The trash in place of the storage. */
  trash: z.stringbool().or(z.boolean()).default(false),
  /** `next` of the page before. */
  cursor: Cursor,
})
export type ListFiles = z.output<typeof ListFiles>

export const CreateFolder = z.object({ parentId: FolderId, name: FileName })
/** Folders below one another, made where they are missing: those of a folder dropped into the page. */
export const EnsureFolders = z.object({ parentId: FolderId, names: z.array(FileName).min(1).max(20) })
/** `keepExtension`: what stands behind the last dot stays, whatever is typed. */
export const RenameFile = z.object({ fileId: FileId, name: FileName, keepExtension: z.boolean().default(true) })
export const MoveFiles = FileRefs.extend({ folderId: FolderId })
/** Why one of several files stayed as it was: keys `storage:list.refused.<code>`. */
export const REASONS = ['not_found', 'into_itself', 'name_taken', 'in_use'] as const
export type Reason = (typeof REASONS)[number]
export const ZipFiles = z.object({ fileIds: z.array(FileId).min(1).max(MAX_ZIP_FILES) })

/** `sure`: also those that something uses. */
export const DeleteFiles = FileRefs.extend({ sure: z.boolean().default(false) })

export const StartUpload = z.object({
  parentId: FolderId.default(null),
  name: FileName,
  size: z.number().int().min(0),
  /** The first HEAD_BYTES bytes in base64: what the file is, is read from them. */
  head: z.base64().max(6000),
  /** Digest of size, first and last megabyte: says whether the storage may have it already. See core/shared/sample.ts. */
  sample: z.string().regex(/^[0-9a-f]{64}$/),
})
export type StartUpload = z.input<typeof StartUpload>
export const UploadRef = z.object({ uploadId: z.uuid() })
export const SignPart = UploadRef.extend({ number: z.number().int().min(1).max(10_000) })
export type SignPart = z.output<typeof SignPart>
export const FindDuplicate = z.object({ sample: StartUpload.shape.sample, size: z.coerce.number().int().min(0) })
export type FindDuplicate = z.output<typeof FindDuplicate>

export const ChoosePoster = FileRef.extend({ poster: z.number().int().min(0).max(20) })
export const Chapter = z.object({ at: z.number().min(0), title: z.string().trim().min(1).max(120) })
/** The version that a change was made on, 48 bits of a hash (`versionOf`); without it the change is made whatever stands there. */
const BaseVersion = z
  .number()
  .int()
  .min(0)
  .max(2 ** 48 - 1)
  .optional()
export type Chapter = z.output<typeof Chapter>
export const SaveChapters = FileRef.extend({ chapters: z.array(Chapter).max(100), version: BaseVersion })
export type SaveChapters = z.input<typeof SaveChapters>
export const CaptionRef = FileRef.extend({ lang: z.enum(CAPTION_LANGS) })
export type CaptionRef = z.output<typeof CaptionRef>
export const SaveCaption = CaptionRef.extend({
  text: z.string().min(1, 'required').max(MAX_CAPTION_BYTES, 'caption_too_large'),
  version: BaseVersion,
  /** Leaves out and names captions that are invalid, e.g. of an uploaded file; without it they are a refusal. */
  skipInvalid: z.boolean().default(false),
})
export type SaveCaption = z.input<typeof SaveCaption>
export const SaveTexts = FileRef.extend({
  name: FileName,
  description: z.string().trim().max(2000),
  version: BaseVersion,
})
export type SaveTexts = z.input<typeof SaveTexts>
/** `replace`: also in the place of captions that a person has written. */
export const RequestCaptions = CaptionRef.extend({ replace: z.boolean().default(false) })
export type RequestCaptions = z.input<typeof RequestCaptions>

export const RenewPlayback = z.object({ base: z.string().max(400) })
export const SavePosition = FileRef.extend({ seconds: z.number().min(0).max(1_000_000) })

/**
 * All that a player needs to play one file for one viewer. The addresses open for this viewer only, for `expiresIn`
 * seconds; `storage.renewPlayback` gives a fresh view for `base`.
 */
export interface PlaybackView {
  fileId: string
  /** Whose place in it is remembered. */
  memberId: string
  kind: 'video' | 'audio'
  /** Without the extension of the file. */
  name: string
  /** Signed beginning of every address below. */
  base: string
  expiresIn: number
  /** `hls/master.m3u8` or, for a sound, `hls/sound/index.m3u8` under `base`; null until something of it is there. */
  hls: string | null
  /** The sound alone of a video, once it is there. */
  sound: string | null
  /** The original, where browsers can play it as it is. */
  sources: { src: string; type: string }[]
  poster: string | null
  /** Pictures of the whole length in one image: a tile each `interval` seconds. */
  storyboard: {
    src: string
    interval: number
    columns: number
    rows: number
    count: number
    tileWidth: number
    tileHeight: number
  } | null
  captions: { lang: CaptionLang; src: string }[]
  chapters: { at: number; title: string }[]
  /** Seconds, where they are known. */
  duration: number | null
  width: number | null
  height: number | null
  /** Where the viewer stopped, in seconds, and when that was. */
  position: { seconds: number; at: string } | null
  /** How far the making has come; null for what needs none. */
  processing: { state: VideoState; progress: number } | null
  /** May listen to the channel `storage`. */
  canSubscribe: boolean
}
