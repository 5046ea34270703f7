import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'

/** A file of an answer, as rendered. */
export interface SubmittedFile {
  id: string
  name: string
  kind: string
  /** Bytes. */
  size: number
  /** False while it is uploaded or interrupted. */
  arrived: boolean
}

/** Props of the answer form. */
export interface SubmissionProps {
  taskId: string
  lessonId: string
  title: string
  /** Membership id: drafts are stored per member. */
  owner: string
  type: 'file' | 'video'
  /** What can be recorded, if the device can. */
  record: 'video' | 'voice' | null
  /** A previous attempt was submitted. */
  again: boolean
  attempt: number
  version: number
  text: string
  files: SubmittedFile[]
  /** Accepted files, as text. */
  allow: string
  acceptTypes: string[]
  maxFiles: number
  /** Bytes. */
  maxBytes: number
}

/** Key of the answer's draft on this device. */
export const draftKey = ({ taskId, attempt }: Pick<SubmissionProps, 'taskId' | 'attempt'>): string =>
  `homework/${taskId}/${attempt}`

/** Loads the strings of the form and the messages; most lesson pages need none. */
export async function loadSubmissionStrings(locale: Locale): Promise<Translate> {
  return createTranslator(await LOCALE_STRINGS[locale](), locale)
}

const LOCALE_STRINGS = {
  uk: async () => {
    const [{ form, conversation, record }, { save, button }, errors] = await Promise.all([
      import('#locales/uk/homework.json'),
      import('#locales/uk/shell.json'),
      import('#locales/uk/errors.json'),
    ])
    return toStrings({ form, conversation, record }, { save, button }, errors)
  },
  en: async () => {
    const [{ form, conversation, record }, { save, button }, errors] = await Promise.all([
      import('#locales/en/homework.json'),
      import('#locales/en/shell.json'),
      import('#locales/en/errors.json'),
    ])
    return toStrings({ form, conversation, record }, { save, button }, errors)
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
