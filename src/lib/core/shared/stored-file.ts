/* Constants of files for server and browser. Without zod, which would enlarge every page that shows a file. */

const MEGABYTE = 1024 * 1024

/** Maximum size of an image in a text, in bytes. */
export const MAX_IMAGE_BYTES = 10 * MEGABYTE
/** Maximum size of a form with such an image, or with a table of students, in bytes. */
export const MAX_FORM_WITH_FILE_BYTES = 11 * MEGABYTE
/** The path of the endpoint of images in texts; a stored text refers to an image by this path and its id. */
export const FILE_PATH = '/v1/file/'
/** Maximum length of the longer side of an image in a text, in pixels. */
export const MAX_IMAGE_SIDE_PX = 2000
/** Maximum size of an uploaded file, in bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * MEGABYTE
/** The first bytes of a file, by which its type is detected; the browser sends them before the upload. */
export const HEAD_BYTES = 4100
/** Rows per page of the storage. */
export const FILES_PER_PAGE = 100
export const FILE_TRASH_DAYS = 30
/** An upload without progress for this time has failed. */
export const UPLOAD_TIMEOUT_HOURS = 24
export const MAX_CAPTION_BYTES = MEGABYTE

export const FILE_KINDS = ['folder', 'image', 'video', 'audio', 'doc', 'file'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** The specification's upload states. */
export const UPLOAD_STATES = ['uploadStarted', 'uploadFinished', 'uploadFailed'] as const

/** The specification's states of video processing. */
export const VIDEO_STATES = ['queued', 'processing', 'encoding', 'resolutionFinished', 'finished', 'failed'] as const
export type VideoState = (typeof VIDEO_STATES)[number]

/** The events of a file's processing, with their times in `file_state`. */
export const FILE_EVENTS = [
  ...UPLOAD_STATES,
  ...VIDEO_STATES,
  'captionsGenerated',
  'titleOrDescriptionGenerated',
] as const
export type FileEvent = (typeof FILE_EVENTS)[number]

/** Reasons of a failed upload or processing: keys `storage:failure.<code>` with a hint in `storage:hint.<code>`. */
export const FILE_FAILURES = [
  'empty',
  'too_large',
  'type_refused',
  'type_differs',
  'size_differs',
  'quota',
  'abandoned',
  'canceled',
  'damaged',
  'no_picture_or_sound',
  'too_long_to_process',
  'too_heavy',
  'processing_crashed',
] as const
export type FileFailure = (typeof FILE_FAILURES)[number]

/** The kinds of objects that use a file. */
export const FILE_USER_KINDS = [
  'lesson',
  'course',
  'task',
  'submission',
  'roadmap',
  'message',
  'workshop',
  'masterclass',
  'autowebinar',
  'certificate',
  'school',
  'question',
  'quiz',
  'attempt',
  'mentoring',
] as const
export type FileUserKind = (typeof FILE_USER_KINDS)[number]

/**
 * The area of a file: the tenant's storage; or answers of students, preliminary replays of events, and presentations that
 * are converted to PDF, which the storage does not list.
 */
export const FILE_AREAS = ['storage', 'homework', 'quiz', 'chat', 'replay', 'presentation'] as const
export type FileArea = (typeof FILE_AREAS)[number]

export const CAPTION_LANGS = ['uk', 'en'] as const
export type CaptionLang = (typeof CAPTION_LANGS)[number]

/** Kinds of texts generated for a video by AI: captions, or a name with a description. */
export const GENERATION_KINDS = ['captions', 'texts'] as const
export type GenerationKind = (typeof GENERATION_KINDS)[number]
export const GENERATION_STATES = ['queued', 'running', 'done', 'failed'] as const
/** Reasons of a failed generation: keys `storage:generation.failure.<code>`. */
export const GENERATION_FAILURES = [
  'key_refused',
  'model_refused',
  'busy',
  'unavailable',
  'timed_out',
  'nonsense',
  'no_sound',
  'no_ffmpeg',
  'nothing_said',
  'no_captions',
  'edited_meanwhile',
  'crashed',
] as const
export type GenerationFailure = (typeof GENERATION_FAILURES)[number]

export const FILE_SORTS = ['name', 'size', 'createdAt'] as const

/** Maximum number of files of a ZIP, because its URL contains their ids. A folder counts as one. */
export const MAX_ZIP_FILES = 300
