import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { DraftOptions } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import type { SaveOutcome } from '#islands/stores/draft/draft-settings.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type Cue, formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
import { findProblem, hasText, toEditableCues } from '../caption/cue-list.ts'
import type { EditedChapter, LoadedCaption, VideoEditorView, VideoTexts } from './use-video-editor.ts'

/* Draft options of the video editor: stored on this device at once, saved with the base version. */

interface DraftContext {
  fileId: string
  /** Membership id. */
  owner: string
  /** Name of the video, for the list of drafts. */
  title: string
  t: Translate
}

export const cueDraftKey = (fileId: string, lang: CaptionLang): string => `storage/captions/${fileId}/${lang}`

interface CueDraftContext extends DraftContext {
  lang: CaptionLang
  duration: number | null
  loaded: LoadedCaption
  onSaved: () => void
}

export function createCueDraft({
  fileId,
  owner,
  title,
  lang,
  duration,
  loaded,
  t,
  onSaved,
}: CueDraftContext): DraftOptions<Cue[]> {
  return {
    owner,
    key: cueDraftKey(fileId, lang),
    title,
    value: loaded.cues,
    version: loaded.version,
    isFresh: true,
    save: (cues, version, leaving) =>
      saveAttempt<Cue[]>(
        async () => {
          if (cues.some((cue) => findProblem(cue, duration) === 'order'))
            throw invalidDraft(t('storage:captions.fixTimes'))
          if (!hasText(cues)) throw invalidDraft(t('storage:captions.needWords'))
          const input = { fileId, lang, text: formatWebvtt(cues), version }
          const saved = await api.storage.saveCaption(input, { context: { isQuiet: true, isLeaving: leaving } })
          onSaved()
          return saved
        },
        ({ cues: newer }) => (isCues(newer) ? toEditableCues(newer) : undefined),
      ),
  }
}

export function createTextsDraft(
  { fileId, owner, title, t }: DraftContext,
  video: VideoEditorView,
): DraftOptions<VideoTexts> {
  const { name, description, textsVersion } = video
  return {
    owner,
    key: `storage/texts/${fileId}`,
    title,
    value: { name, description },
    version: textsVersion,
    isFresh: true,
    save: (texts, version, leaving) =>
      saveAttempt<VideoTexts>(
        async () => {
          if (texts.name.trim() === '') throw invalidDraft(t('storage:videoEditor.nameMissing'))
          return api.storage.saveTexts(
            { fileId, ...texts, version },
            { context: { isQuiet: true, isLeaving: leaving } },
          )
        },
        ({ name: newerName, description: newer }) =>
          typeof newerName === 'string' && typeof newer === 'string'
            ? { name: newerName, description: newer }
            : undefined,
      ),
  }
}

export function createChapterDraft(
  { fileId, owner, title, t }: DraftContext,
  video: VideoEditorView,
): DraftOptions<EditedChapter[]> {
  const { chapters, chaptersVersion, duration } = video
  return {
    owner,
    key: `storage/chapters/${fileId}`,
    title,
    value: chapters,
    version: chaptersVersion,
    isFresh: true,
    save: (marks, version, leaving) =>
      saveAttempt<EditedChapter[]>(
        async () => {
          const named = marks.filter((mark) => mark.title.trim() !== '')
          if (named.some((mark) => findChapterProblem(mark, named, duration)))
            throw invalidDraft(t('storage:chapters.fix'))
          return api.storage.saveChapters(
            { fileId, chapters: named, version },
            { context: { isQuiet: true, isLeaving: leaving } },
          )
        },
        ({ chapters: newer }) => (isMarks(newer) ? newer : undefined),
      ),
  }
}

/** Problem of a chapter: keys `storage:chapters.<problem>`. */
export function findChapterProblem(
  mark: EditedChapter,
  all: readonly EditedChapter[],
  duration: number | null,
): 'twice' | 'late' | null {
  if (duration !== null && mark.at >= duration) return 'late'
  return all.some((other) => other !== mark && other.at === mark.at) ? 'twice' : null
}

const invalidDraft = (message: string): CallError => new CallError('invalid', 400, message)

async function saveAttempt<T>(
  save: () => Promise<{ version: number }>,
  newer: (data: Record<string, unknown>) => T | undefined,
): Promise<SaveOutcome<T>> {
  try {
    const { version } = await save()
    return { kind: 'saved', version }
  } catch (error) {
    const failure = CallError.from(error)
    const [message] = Object.values(failure.fields).flat()
    const outcome = saveOutcomeOf(error, newer)
    return outcome.kind === 'refused' ? { kind: 'refused', message: message ?? failure.message } : outcome
  }
}

const isCues = (value: unknown): value is Cue[] =>
  Array.isArray(value) && value.every((cue) => typeof cue === 'object' && cue !== null && 'text' in cue)

const isMarks = (value: unknown): value is EditedChapter[] =>
  Array.isArray(value) && value.every((mark) => typeof mark === 'object' && mark !== null && 'at' in mark)
