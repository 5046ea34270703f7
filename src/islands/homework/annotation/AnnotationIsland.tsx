import { lazy, Suspense } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Annotation } from '#lib/homework/schema.ts'
import type { DeskFile } from '../review/reviewed-submission.ts'
import { AnnotatePicture } from './AnnotatedPicture.tsx'
import { marksWords } from './annotation-strings.ts'

const AnnotatePdf = lazy(() => import('./AnnotatedPdf.tsx'))

/** A file of a judged work with the reviewer's marks. */
export interface MarkedFile {
  fileId: string
  name: string
  address: string
  /** Null: it is a PDF. */
  picture: DeskFile['picture']
  annotations: Annotation[]
}

/** Makes the marks of a file ready to take the place of their plain list. */
export async function mountMarks(file: MarkedFile, locale: Locale): Promise<(place: HTMLElement) => () => void> {
  const t = await marksWords(locale)
  const { fileId, name, address, picture, annotations } = file
  const marks = { fileId, annotations, onAnnotate: null, words: { t } }
  const waiting = <Skeleton shape="lines" count={6} label={t('homework:desk.loading')} />
  return (place) =>
    mountIsland(
      place,
      'marks',
      picture ? (
        <AnnotatePicture {...marks} picture={picture} name={name} />
      ) : (
        <Suspense fallback={waiting}>
          <AnnotatePdf {...marks} address={address} name={name} />
        </Suspense>
      ),
    ).unmount
}
