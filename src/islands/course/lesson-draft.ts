import { canonical } from '#islands/editor/canonical.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftOptions, outcomeOf } from '#islands/stores/draft.ts'
import { draftKey, type LessonProps, type LessonText } from './lesson.ts'

/** A lesson as the draft layer wants it. */
export function draftOf({ lessonId, title, blocks, version, owner }: LessonProps): DraftOptions<LessonText> {
  return {
    ...{ owner, key: draftKey(lessonId), title, value: { title, blocks: canonical(blocks) }, version },
    save: async (text, base, leaving) => {
      try {
        const input = { lessonId, version: base, ...text }
        const saved = await api.course.saveLesson(input, { context: { quiet: true, leaving } })
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return outcomeOf(error, newerText)
      }
    },
  }
}

function newerText(data: Record<string, unknown>): LessonText | undefined {
  const { title, blocks } = data
  if (typeof title !== 'string' || typeof blocks !== 'object' || blocks === null) return undefined
  return { title, blocks: canonical(blocks) }
}

/** Sends a picture to the school's storage; gives its address. Throws with the server's words. */
export async function uploadImage(file: File): Promise<string> {
  const form = new FormData()
  form.append('file', file)
  const answer = await fetch('/v1/file', { method: 'POST', body: form, headers: { accept: 'application/json' } })
  const body: { src?: string; message?: string } = await answer.json()
  if (!answer.ok || !body.src) throw new Error(body.message ?? '')
  return body.src
}
