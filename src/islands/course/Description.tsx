import { useState } from 'react'
import { RichText } from '#islands/editor/RichText.tsx'
import { mountIsland } from '#islands/mount/mount.ts'
import { EMPTY_DOC, type LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings } from '#lib/core/shared/text/strings.ts'

interface Props {
  locale: Locale
  strings: Strings
  value: LessonDoc | null
  onChange: (doc: LessonDoc) => void
}

/** Mounts the editor of a course's description. Returns a function that unmounts it. */
export function mountDescription(container: HTMLElement, props: Props): () => void {
  return mountIsland(container, 'description', <Description {...props} />).unmount
}

function Description({ locale, strings, value, onChange }: Props) {
  const [doc, setDoc] = useState(value ?? EMPTY_DOC)
  const t = createTranslator(strings, locale)
  const updateDoc = (next: LessonDoc) => {
    setDoc(next)
    onChange(next)
  }
  return <RichText value={doc} onChange={updateDoc} label={t('course:field.description')} t={t} files />
}
