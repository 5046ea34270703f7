import { createContext, useContext } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** Context of the editor's blocks. */
export interface EditorContext {
  /** Contains the keys of `editor:` and `shell:button.`. */
  t: Translate
  locale: Locale
  /** Null outside lessons: no media, tasks or tests. */
  lesson: LessonActions | null
  /** Images and files of the storage can be inserted. */
  files: boolean
  /** Videos and audio files can be inserted outside lessons too. */
  media: boolean
}

/** Actions of lesson blocks in other modules. */
export interface LessonActions {
  /** Creates a task of the lesson and returns its id. */
  createTask: () => Promise<string>
  /** Null: the task was deleted. */
  findTask: (taskId: string) => Promise<{ title: string } | null>
  /** Opens the panel in which a task is edited. */
  openTask: (taskId: string) => void
  /** The tests of the lesson's course. */
  listTests: () => Promise<TestChoice[]>
  /** Null: the test was deleted. */
  findTest: (testId: string) => Promise<TestChoice | null>
  /** URL of the page on which the tests of the course are edited. */
  testsHref: string
  /** Opens the captions of a video or audio file. */
  openCaptions: (file: { fileId: string; name: string }) => void
}

/** A test of the course. */
export interface TestChoice {
  id: string
  title: string
  /** Published and not hidden: students can take it. */
  isOffered: boolean
  /** URL of the page on which it is edited. */
  href: string
}

const DEFAULT_CONTEXT: EditorContext = { t: (key) => key, locale: 'uk', lesson: null, files: false, media: false }

export const EditorContextProvider = createContext<EditorContext>(DEFAULT_CONTEXT)

export const useEditorContext = (): EditorContext => useContext(EditorContextProvider)
