import { canonicalDoc } from '#islands/editor/blocks/canonical.ts'
import { api } from '#islands/stores/api.ts'
import type { DraftOptions } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { countWords } from '#lib/core/shared/lesson-doc.ts'
import { findChange } from '#lib/course/lesson/rules.ts'
import type { SaveLesson } from '#lib/course/lesson/schema.ts'
import { $lessonUpdate } from '../outline/lesson-update.ts'
import { type LessonProps, type LessonText, lessonDraftKey } from './lesson.ts'
import { mergeLessons } from './lesson-merge.ts'

/** Callbacks of the draft. */
export interface DraftCallbacks {
  /** Id of this tab while others have the lesson open, so that they receive saves. */
  getTab: () => string | undefined
  onMerged: (by: string | undefined) => void
}

type LessonSource = Pick<LessonProps, 'lessonId' | 'title' | 'blocks' | 'version' | 'owner'>
type Send = (input: SaveLesson, leaving: boolean) => Promise<{ version: number }>

const sendToApi: Send = (input, leaving) =>
  api.course.saveLesson(input, { context: { isQuiet: true, isLeaving: leaving } })

/** Draft options of a lesson: a save sends only changed blocks. */
export function draftOptions(
  page: LessonSource,
  callbacks: DraftCallbacks,
  send = sendToApi,
): DraftOptions<LessonText> {
  const { lessonId, title, blocks, version, owner } = page
  return {
    owner,
    key: lessonDraftKey(lessonId),
    title,
    value: { title, blocks: canonicalDoc(blocks) },
    version,
    merge: mergeLessons,
    isSame: isSameText,
    onMerged: callbacks.onMerged,
    save: async (text, base, leaving, more) => {
      const change = findChange(more.base.blocks.content, text.blocks.content)
      const isRenamed = text.title !== more.base.title
      if (!change && !isRenamed) return { kind: 'saved', version: base }
      const changes = { ...(change && { change }), ...(isRenamed && { title: text.title }) }
      const extras = { tab: callbacks.getTab(), ...(more.chosen && { chosen: true }) }
      try {
        const saved = await send({ lessonId, version: base, ...changes, ...extras }, leaving)
        $lessonUpdate.set({ lessonId, ...(isRenamed && { title: text.title }), words: countWords(text.blocks) })
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return saveOutcomeOf(error, parseNewerText)
      }
    },
  }
}

/** The current draft of the server. */
export async function fetchLesson(lessonId: string) {
  const { version, title, blocks } = await api.course.getLesson({ lessonId }, { context: { isQuiet: true } })
  return { version, value: { title, blocks: canonicalDoc(blocks) } }
}

function isSameText(left: LessonText, right: LessonText): boolean {
  return left.title === right.title && findChange(left.blocks.content, right.blocks.content) === null
}

function parseNewerText(data: Record<string, unknown>): LessonText | undefined {
  const { title, blocks } = data
  if (typeof title !== 'string' || typeof blocks !== 'object' || blocks === null) return undefined
  return { title, blocks: canonicalDoc(blocks) }
}
