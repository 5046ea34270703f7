import { z } from 'zod'
import {
  CAPTION_LANGS,
  FILE_FAILURES,
  FILE_KINDS,
  FILE_USER_KINDS,
  GENERATION_FAILURES,
  GENERATION_KINDS,
  GENERATION_STATES,
  VIDEO_STATES,
} from '#lib/core/shared/stored-file.ts'
import { UnfinishedUpload } from './upload/output-schema.ts'
import { FileHistory } from './video/output-schema.ts'

export const Picture = z.object({
  src: z.string(),
  avif: z.string(),
  webp: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
})

export const PlaybackView = z.object({
  fileId: z.string(),
  memberId: z.string(),
  kind: z.enum(['video', 'audio']),
  name: z.string(),
  base: z.string(),
  expiresIn: z.number(),
  hls: z.string().nullable(),
  sound: z.string().nullable(),
  sources: z.array(z.object({ src: z.string(), type: z.string() })),
  poster: z.string().nullable(),
  storyboard: z
    .object({
      src: z.string(),
      interval: z.number(),
      columns: z.number(),
      rows: z.number(),
      count: z.number(),
      tileWidth: z.number(),
      tileHeight: z.number(),
    })
    .nullable(),
  captions: z.array(z.object({ lang: z.enum(CAPTION_LANGS), src: z.string() })),
  chapters: z.array(z.object({ at: z.number(), title: z.string() })),
  duration: z.number().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  position: z.object({ seconds: z.number(), at: z.string() }).nullable(),
  processing: z
    .object({
      state: z.enum(VIDEO_STATES),
      progress: z.number(),
    })
    .nullable(),
  canSubscribe: z.boolean(),
})

const FileRow = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  parentName: z.string().nullable(),
  kind: z.enum(FILE_KINDS),
  name: z.string(),
  mime: z.string(),
  size: z.number(),
  createdAt: z.date(),
  deletedAt: z.date().nullable(),
  usedCount: z.number(),
  thumbnailUrl: z.string().nullable(),
  state: z.enum(VIDEO_STATES).nullable(),
  progress: z.number().nullable(),
  failure: z.enum(FILE_FAILURES).nullable(),
  queuePosition: z.number().nullable(),
  waitsForDisk: z.boolean(),
  duration: z.number().nullable(),
  truncated: z.boolean(),
})

const Crumb = z.object({ id: z.string(), name: z.string() })

export const FileList = z.object({ rows: z.array(FileRow), next: z.string().nullable(), path: z.array(Crumb) })

const FileUse = z.object({
  kind: z.enum(FILE_USER_KINDS),
  id: z.string(),
  title: z.string(),
})

export const FileDetails = z.object({
  id: z.string(),
  kind: z.enum(FILE_KINDS),
  name: z.string(),
  description: z.string(),
  mime: z.string(),
  size: z.number(),
  files: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration: z.number().nullable(),
  truncated: z.boolean(),
  waitsForDisk: z.boolean(),
  resolutions: z.array(z.number()),
  owner: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
  path: z.array(Crumb),
  uses: z.array(FileUse),
  history: FileHistory,
  duplicates: z.array(
    z.object({ id: z.string(), name: z.string(), parentId: z.string().nullable(), parentName: z.string().nullable() }),
  ),
  address: z.string().nullable(),
  download: z.string().nullable(),
  picture: Picture.nullable(),
  failureDetail: z.string().nullable(),
})

export const CreateFolderOutput = z.object({ folderId: z.string() })

export const EnsureFoldersOutput = z.object({ folderId: z.string() })

export const RenameStorageOutput = z.object({ name: z.string(), before: z.string() })

const FileOutcomeOutput = z.object({
  fileId: z.string(),
  name: z.string(),
  done: z.boolean(),
  reason: z.enum(['not_found', 'into_itself', 'name_taken', 'in_use']).nullable(),
  uses: z.array(FileUse),
  previousFolderId: z.string().nullable(),
})

export const MoveStorageOutput = z.object({ outcomes: z.array(FileOutcomeOutput) })

export const CopyResult = z.object({ outcomes: z.array(FileOutcomeOutput), copies: z.array(z.string()) })

export const DeleteStorageOutput = z.object({ outcomes: z.array(FileOutcomeOutput) })

export const RestoreStorageOutput = z.object({ outcomes: z.array(FileOutcomeOutput) })

export const PurgeStorageOutput = z.object({ outcomes: z.array(FileOutcomeOutput) })

export const EmptyTrashOutput = z.object({ purged: z.number() })

export const FilesZipLink = z.object({ address: z.string(), files: z.number(), size: z.number() })

export const StartUploadOutput = z.object({ uploadId: z.string(), partBytes: z.number(), parts: z.number() })

export const SignPartOutput = z.object({ url: z.string(), expires: z.string() })

const Part = z.object({ number: z.number(), size: z.number(), etag: z.string() })

export const ListPartsOutput = z.array(Part)

export const StoredFileView = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  kind: z.enum(FILE_KINDS),
  name: z.string(),
  mime: z.string(),
  size: z.number(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  createdAt: z.date(),
})

export const ListUploadsOutput = z.array(UnfinishedUpload)

export const FindDuplicateOutput = StoredFileView.nullable()

export const GetVideoEditorOutput = z.object({
  id: z.string(),
  kind: z.enum(FILE_KINDS),
  name: z.string(),
  description: z.string(),
  duration: z.number().nullable(),
  textsVersion: z.number(),
  chapters: z.array(z.object({ at: z.number(), title: z.string() })),
  chaptersVersion: z.number(),
  posters: z.number(),
  poster: z.number(),
  captions: z.array(
    z.object({
      lang: z.enum(CAPTION_LANGS),
      auto: z.boolean(),
      updatedAt: z.date(),
      bytes: z.number(),
      end: z.number(),
    }),
  ),
  suggestion: z.object({ name: z.string().nullable(), description: z.string().nullable() }).nullable(),
  generations: z.array(
    z.object({
      kind: z.enum(GENERATION_KINDS),
      lang: z.enum(CAPTION_LANGS),
      state: z.enum(GENERATION_STATES),
      failure: z.enum(GENERATION_FAILURES).nullable(),
      progress: z.number(),
    }),
  ),
  machine: z.boolean(),
})

export const SaveTextsOutput = z.object({ version: z.number() })

export const SaveChaptersOutput = z.object({ version: z.number() })

export const ListCaptionsOutput = z.array(
  z.object({ lang: z.enum(CAPTION_LANGS), auto: z.boolean(), updatedAt: z.date(), bytes: z.number(), end: z.number() }),
)
