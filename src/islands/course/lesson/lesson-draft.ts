import { canonical } from '#islands/editor/blocks/canonical.ts'
import { api } from '#islands/stores/api.ts'
import type { DraftOptions } from '#islands/stores/draft/draft.ts'
import { outcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { changeBetween } from '#lib/course/lesson/rules.ts'
import type { SaveLesson } from '#lib/course/lesson/schema.ts'
import { draftKey, type LessonProps, type LessonText } from './lesson.ts'
import { mergeLessons } from './lesson-merge.ts'

/** What the draft asks of the editor around it. */
export interface LessonCompany {
  /** This tab's name while somebody else has the lesson open, so that they hear of a save. */
  tab: () => string | undefined
  merged: (by: string | undefined) => void
}

type Page = Pick<LessonProps, 'lessonId' | 'title' | 'blocks' | 'version' | 'owner'>
type Send = (input: SaveLesson, leaving: boolean) => Promise<{ version: number }>

const overTheApi: Send = (input, leaving) => api.course.saveLesson(input, { context: { quiet: true, leaving } })

/** A lesson as the draft layer wants it: a save sends the blocks that changed, never the text. */
export function draftOf(page: Page, company: LessonCompany, send = overTheApi): DraftOptions<LessonText> {
  const { lessonId, title, blocks, version, owner } = page
  return {
    owner,
    key: draftKey(lessonId),
    title,
    value: { title, blocks: canonical(blocks) },
    version,
    merge: mergeLessons,
    same: sameText,
    merged: company.merged,
    save: async (text, base, leaving, more) => {
      const change = changeBetween(more.base.blocks.content, text.blocks.content)
      const renamed = text.title !== more.base.title
      if (!change && !renamed) return { kind: 'saved', version: base }
      const what = { ...(change && { change }), ...(renamed && { title: text.title }) }
      const how = { tab: company.tab(), ...(more.chosen && { chosen: true }) }
      try {
        const saved = await send({ lessonId, version: base, ...what, ...how }, leaving)
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return outcomeOf(error, newerText)
      }
    },
  }
}

/** The draft as the server has it now. */
export async function fetchLesson(lessonId: string) {
  const { version, title, blocks } = await api.course.getLesson({ lessonId }, { context: { quiet: true } })
  return { version, value: { title, blocks: canonical(blocks) } }
}

export function sameText(one: LessonText, other: LessonText): boolean {
  return one.title === other.title && changeBetween(one.blocks.content, other.blocks.content) === null
}

function newerText(data: Record<string, unknown>): LessonText | undefined {
  const { title, blocks } = data
  if (typeof title !== 'string' || typeof blocks !== 'object' || blocks === null) return undefined
  return { title, blocks: canonical(blocks) }
}
