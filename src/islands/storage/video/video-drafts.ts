import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { DraftOptions } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import type { SaveOutcome } from '#islands/stores/draft/draft-settings.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type Cue, formatWebvtt } from '#lib/core/shared/text/webvtt.ts'
import { hasWords, problemOf, typedCues } from '../caption/cue-list.ts'
import type { ChapterMark, DeskView, LoadedCaption, Texts } from './use-video-editor.ts'

/*
 * What is typed on the desk, as the draft layer wants it: kept on this device at once, sent with the version it was
 * written on, never over another's newer words.
 */

interface Owned {
  fileId: string
  /** The membership's id. */
  owner: string
  /** The video's name, for the list of drafts. */
  title: string
  t: Translate
}

export const cueDraftKey = (fileId: string, lang: CaptionLang): string => `storage/captions/${fileId}/${lang}`

interface CueDraft extends Owned {
  lang: CaptionLang
  duration: number | null
  loaded: LoadedCaption
  onSaved: () => void
}

export function cueDraft({ fileId, owner, title, lang, duration, loaded, t, onSaved }: CueDraft): DraftOptions<Cue[]> {
  return {
    owner,
    key: cueDraftKey(fileId, lang),
    title,
    value: loaded.cues,
    version: loaded.version,
    isFresh: true,
    save: (cues, version, leaving) =>
      attempt<Cue[]>(
        async () => {
          if (cues.some((cue) => problemOf(cue, duration) === 'order')) throw refused(t('storage:captions.fixTimes'))
          if (!hasWords(cues)) throw refused(t('storage:captions.needWords'))
          const input = { fileId, lang, text: formatWebvtt(cues), version }
          const saved = await api.storage.saveCaption(input, { context: { isQuiet: true, isLeaving: leaving } })
          onSaved()
          return saved
        },
        ({ cues: newer }) => (isCues(newer) ? typedCues(newer) : undefined),
      ),
  }
}

export function textsDraft({ fileId, owner, title, t }: Owned, desk: DeskView): DraftOptions<Texts> {
  const { name, description, textsVersion } = desk
  return {
    owner,
    key: `storage/texts/${fileId}`,
    title,
    value: { name, description },
    version: textsVersion,
    isFresh: true,
    save: (texts, version, leaving) =>
      attempt<Texts>(
        async () => {
          if (texts.name.trim() === '') throw refused(t('storage:desk.nameMissing'))
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

export function chapterDraft({ fileId, owner, title, t }: Owned, desk: DeskView): DraftOptions<ChapterMark[]> {
  const { chapters, chaptersVersion, duration } = desk
  return {
    owner,
    key: `storage/chapters/${fileId}`,
    title,
    value: chapters,
    version: chaptersVersion,
    isFresh: true,
    save: (marks, version, leaving) =>
      attempt<ChapterMark[]>(
        async () => {
          const named = marks.filter((mark) => mark.title.trim() !== '')
          if (named.some((mark) => chapterProblem(mark, named, duration))) throw refused(t('storage:chapters.fix'))
          return api.storage.saveChapters(
            { fileId, chapters: named, version },
            { context: { isQuiet: true, isLeaving: leaving } },
          )
        },
        ({ chapters: newer }) => (isMarks(newer) ? newer : undefined),
      ),
  }
}

/** What is wrong with a chapter: keys `storage:chapters.<problem>`. */
export function chapterProblem(
  mark: ChapterMark,
  all: readonly ChapterMark[],
  duration: number | null,
): 'twice' | 'late' | null {
  if (duration !== null && mark.at >= duration) return 'late'
  return all.some((other) => other !== mark && other.at === mark.at) ? 'twice' : null
}

const refused = (message: string): CallError => new CallError('invalid', 400, message)

async function attempt<T>(
  save: () => Promise<{ version: number }>,
  newer: (data: Record<string, unknown>) => T | undefined,
): Promise<SaveOutcome<T>> {
  try {
    const { version } = await save()
    return { kind: 'saved', version }
  } catch (error) {
    const failure = CallError.from(error)
    const [words] = Object.values(failure.fields).flat()
    const outcome = saveOutcomeOf(error, newer)
    return outcome.kind === 'refused' ? { kind: 'refused', message: words ?? failure.message } : outcome
  }
}

const isCues = (value: unknown): value is Cue[] =>
  Array.isArray(value) && value.every((cue) => typeof cue === 'object' && cue !== null && 'text' in cue)

const isMarks = (value: unknown): value is ChapterMark[] =>
  Array.isArray(value) && value.every((mark) => typeof mark === 'object' && mark !== null && 'at' in mark)
