import { createContext, useContext } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

/** What a writer's blocks know of the page around them. */
export interface EditorContext {
  /** Its words are all of `editor:`, and `shell:button.`. */
  t: Translate
  locale: Locale
  /** Null in a text that is no lesson: it has no films, no tasks, no tests. */
  lesson: LessonActions | null
  /** Pictures and files of the storage may be put in. */
  files: boolean
}

/** What a lesson's blocks ask of rooms that the editor does not know. */
export interface LessonActions {
  /** Makes a task of the lesson and answers its id. */
  createTask: () => Promise<string>
  /** Null: the task is no more. */
  findTask: (taskId: string) => Promise<{ title: string } | null>
  /** Opens the panel in which a task is written. */
  openTask: (taskId: string) => void
  /** Opens the captions of a video or a sound. */
  openCaptions: (file: { fileId: string; name: string }) => void
}

const DEFAULT_CONTEXT: EditorContext = { t: (key) => key, locale: 'uk', lesson: null, files: false }

export const EditorContextProvider = createContext<EditorContext>(DEFAULT_CONTEXT)

export const useEditorContext = (): EditorContext => useContext(EditorContextProvider)

/** The language that the page is in. */
export const pageLocale = (): Locale => (document.documentElement.lang === 'en' ? 'en' : 'uk')
