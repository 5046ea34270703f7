import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'

/** A file of an answer, as the page was drawn. */
export interface AnswerFile {
  id: string
  name: string
  kind: string
  /** Bytes. */
  size: number
  /** False: on its way, or interrupted. */
  arrived: boolean
}

/** What the page of a lesson tells the form of a task. */
export interface SubmissionProps {
  taskId: string
  lessonId: string
  title: string
  /** The membership: drafts are kept by person. */
  owner: string
  type: 'file' | 'video'
  /** What can be recorded here, where the device can. */
  record: 'video' | 'voice' | null
  /** Something was handed in before. */
  again: boolean
  attempt: number
  version: number
  text: string
  files: AnswerFile[]
  /** What may be added, in words. */
  allow: string
  acceptTypes: string[]
  maxFiles: number
  /** Bytes. */
  maxBytes: number
}

/** The name of an answer's draft on this device. */
export const draftKey = ({ taskId, attempt }: Pick<SubmissionProps, 'taskId' | 'attempt'>): string =>
  `homework/${taskId}/${attempt}`

/** The words of form and talk come with them: most visits of a lesson need none. */
export async function loadSubmissionStrings(locale: Locale): Promise<Translate> {
  return createTranslator(await LOCALE_STRINGS[locale](), locale)
}

const LOCALE_STRINGS = {
  uk: async () => {
    const [{ form, talk, record }, { save, button }, errors] = await Promise.all([
      import('#locales/uk/homework.json'),
      import('#locales/uk/shell.json'),
      import('#locales/uk/errors.json'),
    ])
    return toStrings({ form, talk, record }, { save, button }, errors)
  },
  en: async () => {
    const [{ form, talk, record }, { save, button }, errors] = await Promise.all([
      import('#locales/en/homework.json'),
      import('#locales/en/shell.json'),
      import('#locales/en/errors.json'),
    ])
    return toStrings({ form, talk, record }, { save, button }, errors)
  },
}

const REFUSALS = ['homework_type', 'homework_many_files', 'homework_uploading', 'file_too_large', 'file_empty'] as const

function toStrings(homework: object, shell: object, errors: Record<(typeof REFUSALS)[number], string>) {
  const needed = Object.fromEntries(REFUSALS.map((key) => [key, errors[key]]))
  return {
    ...flattenStrings(homework, 'homework:'),
    ...flattenStrings(shell, 'shell:'),
    ...flattenStrings(needed, 'errors:'),
  }
}
