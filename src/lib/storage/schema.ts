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
/** Null is the top level. */
const FolderId = FileId.nullable()
export const FileRefs = z.object({ fileIds: z.array(FileId).min(1).max(1000) })

export const ListFiles = z.object({
  folderId: FolderId.default(null),
  /** Searches by name in all folders. */
  search: z.string().trim().max(100).default(''),
  kind: z.enum(FILE_KINDS).optional(),
  use: z.enum(['used', 'unused']).optional(),
  /** Minimum size in bytes. */
  minSize: z.coerce.number().int().min(0).optional(),
  sort: z.enum(FILE_SORTS).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
  /** Lists the trash. */
  trash: z.stringbool().or(z.boolean()).default(false),
  /** `next` of the previous page. */
  cursor: Cursor,
})
export type ListFiles = z.output<typeof ListFiles>

export const CreateFolder = z.object({ parentId: FolderId, name: FileName })
/** Nested folders, created where they are missing, e.g. of a folder dropped into the page. */
export const EnsureFolders = z.object({ parentId: FolderId, names: z.array(FileName).min(1).max(20) })
/** `keepExtension`: the current extension is kept, even if another one is typed. */
export const RenameFile = z.object({ fileId: FileId, name: FileName, keepExtension: z.boolean().default(true) })
export type RenameFile = z.output<typeof RenameFile>
export const MoveFiles = FileRefs.extend({ folderId: FolderId })
/** Reasons why a bulk action did not change a file: keys `storage:list.refused.<code>`. */
const REASONS = ['not_found', 'into_itself', 'name_taken', 'in_use'] as const
export type FileRefusalReason = (typeof REASONS)[number]
export const ZipFiles = z.object({ fileIds: z.array(FileId).min(1).max(MAX_ZIP_FILES) })

/** `sure`: includes files that are in use. */
export const DeleteFiles = FileRefs.extend({ sure: z.boolean().default(false) })
export type DeleteFiles = z.output<typeof DeleteFiles>

export const StartUpload = z.object({
  parentId: FolderId.default(null),
  name: FileName,
  size: z.number().int().min(0),
  /** The first HEAD_BYTES bytes in base64; the type is detected from them. */
  head: z.base64().max(6000),
  /** Digest of size, first and last megabyte, to find the same file in the storage. See core/shared/sample.ts. */
  sample: z.string().regex(/^[0-9a-f]{64}$/),
})
export type StartUpload = z.output<typeof StartUpload>
export const UploadRef = z.object({ uploadId: z.uuid() })
export const SignPart = UploadRef.extend({ number: z.number().int().min(1).max(10_000) })
export type SignPart = z.output<typeof SignPart>
export const FindDuplicate = z.object({ sample: StartUpload.shape.sample, size: z.coerce.number().int().min(0) })
export type FindDuplicate = z.output<typeof FindDuplicate>

export const ChoosePoster = FileRef.extend({ poster: z.number().int().min(0).max(20) })
export const VideoChapter = z.object({ at: z.number().min(0), title: z.string().trim().min(1).max(120) })
/**
 * The version that a change is based on, 48 bits of a hash (`contentVersion`); without it the change is saved
 * unconditionally.
 */
const BaseVersion = z
  .number()
  .int()
  .min(0)
  .max(2 ** 48 - 1)
  .optional()
export type VideoChapter = z.output<typeof VideoChapter>
export const SaveChapters = FileRef.extend({ chapters: z.array(VideoChapter).max(100), version: BaseVersion })
export type SaveChapters = z.output<typeof SaveChapters>
export const CaptionRef = FileRef.extend({ lang: z.enum(CAPTION_LANGS) })
export type CaptionRef = z.output<typeof CaptionRef>
export const SaveCaption = CaptionRef.extend({
  text: z.string().min(1, 'required').max(MAX_CAPTION_BYTES, 'caption_too_large'),
  version: BaseVersion,
  /** Skips and reports invalid captions, e.g. of an uploaded file; without it they are refused. */
  skipInvalid: z.boolean().default(false),
})
export type SaveCaption = z.output<typeof SaveCaption>
export const SaveTexts = FileRef.extend({
  name: FileName,
  description: z.string().trim().max(2000),
  version: BaseVersion,
})
export type SaveTexts = z.output<typeof SaveTexts>
/** `replace`: also replaces captions that were written manually. */
export const RequestCaptions = CaptionRef.extend({ replace: z.boolean().default(false) })
export type RequestCaptions = z.output<typeof RequestCaptions>

export const RenewPlayback = z.object({ base: z.string().max(400) })
export const SavePosition = FileRef.extend({ seconds: z.number().min(0).max(1_000_000) })

/**
 * Everything that a player needs to play one file for one viewer. The URLs are valid for this viewer only, for
 * `expiresIn` seconds; `storage.renewPlayback` returns a fresh view for `base`.
 */
export interface PlaybackView {
  fileId: string
  /** The member whose position is saved. */
  memberId: string
  kind: 'video' | 'audio'
  /** File name without the extension. */
  name: string
  /** Signed base of all URLs below. */
  base: string
  expiresIn: number
  /** `hls/master.m3u8` or, for audio, `hls/sound/index.m3u8` under `base`; null until something is encoded. */
  hls: string | null
  /** The audio track of a video, once it is encoded. */
  sound: string | null
  /** The original, when browsers can play it. */
  sources: { src: string; type: string }[]
  poster: string | null
  /** Thumbnails of the whole duration in one image: a tile each `interval` seconds. */
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
  /** Seconds, if known. */
  duration: number | null
  width: number | null
  height: number | null
  /** The viewer's saved position in seconds, and when it was saved. */
  position: { seconds: number; at: string } | null
  /** State of the encoding; null when none is needed. */
  processing: { state: VideoState; progress: number } | null
  /** The viewer may subscribe to the channel `storage`. */
  canSubscribe: boolean
}
