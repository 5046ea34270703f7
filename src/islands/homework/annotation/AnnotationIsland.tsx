import { lazy, Suspense } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Annotation } from '#lib/homework/schema.ts'
import type { SubmissionFile } from '../review/reviewed-submission.ts'
import { AnnotatedPicture } from './AnnotatedPicture.tsx'
import { loadAnnotationStrings } from './annotation-strings.ts'

const AnnotatePdf = lazy(() => import('./AnnotatedPdf.tsx'))

/** A file of a reviewed submission with annotations. */
export interface AnnotatedFile {
  fileId: string
  name: string
  address: string
  /** Null for a PDF. */
  picture: SubmissionFile['picture']
  annotations: Annotation[]
}

/** Loads the annotations of a file, ready to replace the plain list. */
export async function mountAnnotations(
  file: AnnotatedFile,
  locale: Locale,
): Promise<(place: HTMLElement) => () => void> {
  const t = await loadAnnotationStrings(locale)
  const { fileId, name, address, picture, annotations } = file
  const marks = { fileId, annotations, onAnnotate: null, i18n: { t } }
  const waiting = <Skeleton shape="lines" count={6} label={t('homework:review.loading')} />
  return (place) =>
    mountIsland(
      place,
      'annotations',
      picture ? (
        <AnnotatedPicture {...marks} picture={picture} name={name} />
      ) : (
        <Suspense fallback={waiting}>
          <AnnotatePdf {...marks} address={address} name={name} />
        </Suspense>
      ),
    ).unmount
}
