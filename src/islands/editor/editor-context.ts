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
  /** Pictures and files of the storage may be put in. */
  files: boolean
  /** Videos and sounds may be put in outside lessons too. */
  media: boolean
}

/** Actions of lesson blocks in other modules. */
export interface LessonActions {
  /** Creates a task of the lesson and returns its id. */
  createTask: () => Promise<string>
  /** Null: the task was deleted. */
  findTask: (taskId: string) => Promise<{ title: string } | null>
  /** Opens the panel in which a task is written. */
  openTask: (taskId: string) => void
  /** The tests of the lesson's course. */
  listTests: () => Promise<TestChoice[]>
  /** Null: the test was deleted. */
  findTest: (testId: string) => Promise<TestChoice | null>
  /** The page on which the tests of the course are written. */
  testsHref: string
  /** Opens the captions of a video or a sound. */
  openCaptions: (file: { fileId: string; name: string }) => void
}

/** A test of the course. */
export interface TestChoice {
  id: string
  title: string
  /** Published and not hidden: students can take it. */
  isOffered: boolean
  /** The page on which it is written. */
  href: string
}

const DEFAULT_CONTEXT: EditorContext = { t: (key) => key, locale: 'uk', lesson: null, files: false, media: false }

export const EditorContextProvider = createContext<EditorContext>(DEFAULT_CONTEXT)

export const useEditorContext = (): EditorContext => useContext(EditorContextProvider)

/** The language that the page is in. */
export const pageLocale = (): Locale => (document.documentElement.lang === 'en' ? 'en' : 'uk')
