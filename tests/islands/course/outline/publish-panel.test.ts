import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftOptions } from '#islands/course/lesson/lesson-draft.ts'
import { createOutline } from '#islands/course/outline/outline-store.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { OutlineModule } from '#lib/course/outline/schema.ts'

const [courseId, lessonId] = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002']
const textOf = (text: string): LessonDoc => ({
  type: 'doc',
  content: [{ type: 'paragraph', ...(text && { content: [{ type: 'text', text }] }) }],
})

/** A page with the publication checks, as far as they are replaced. */
const panel = { replaceWith: vi.fn(), contains: () => false }
const newPanel = {}
let requests: string[]

beforeEach(() => {
  requests = []
  panel.replaceWith.mockReset()
  vi.stubGlobal('location', { href: '/course/edit/1', origin: 'http://demo.test' })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { querySelector: () => panel, activeElement: null }))
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  )
  vi.stubGlobal(
    'DOMParser',
    class {
      parseFromString = () => ({ querySelector: () => newPanel })
    },
  )
  vi.stubGlobal('fetch', async (address: string) => {
    requests.push(address)
    return new Response('<main></main>')
  })
})
afterEach(() => vi.unstubAllGlobals())

/** The lesson's editor, and an outline that shows it. */
function openLesson(words: number, state: 'new' | 'published' = 'new') {
  const lesson = { id: lessonId, title: 'Урок', words, state, hidden: false }
  const modules = [{ id: 'm', title: 'Модуль', lessons: [lesson] }] as never as OutlineModule[]
  const outline = createOutline({ courseId, modules, current: lessonId } as never, ((key: string) => key) as never)
  const close = outline.open()
  const page = { lessonId, title: 'Урок', blocks: textOf(words ? 'Було' : ''), version: 1, owner: 'o' }
  const { save, value } = draftOptions(page, { getTab: () => undefined, onMerged: () => {} }, async () => ({
    version: 2,
  }))
  const write = (text: string, title = 'Урок') =>
    save({ title, blocks: textOf(text) }, 1, false, { base: value } as never)
  return { outline, write, close }
}

test('the first written lesson loads the publication checks again, so that the course can be published at once', async () => {
  const { outline, write, close } = openLesson(0)
  await write('Вітаю на курсі', 'Початок')
  expect(outline.$modules.get()[0]?.lessons[0]).toMatchObject({ title: 'Початок', words: 3, state: 'new' })
  await vi.waitFor(() => expect(panel.replaceWith).toHaveBeenCalledExactlyOnceWith(newPanel))
  expect(requests).toEqual(['/course/edit/1'])
  close()
})

test('further text changes the row of the lesson, and loads nothing', async () => {
  const { outline, write, close } = openLesson(1, 'published')
  await write('Інший довший текст')
  expect(outline.$modules.get()[0]?.lessons[0]).toMatchObject({ words: 3, state: 'changed' })
  expect(requests).toEqual([])
  close()
})
