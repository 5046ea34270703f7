import type { SubmissionFile } from '../review/reviewed-submission.ts'
import { AnnotationCanvas, type AnnotationProps } from './AnnotationCanvas.tsx'

/** A picture with annotations. */
export function AnnotatedPicture({
  picture,
  name,
  ...marks
}: AnnotationProps & { picture: NonNullable<SubmissionFile['picture']>; name: string }) {
  const { width, height } = picture
  return (
    <AnnotationCanvas {...marks} page={1}>
      <img
        src={picture.src}
        alt={name}
        loading="lazy"
        {...(width && height ? { width, height } : {})}
        className="annotation-picture"
        draggable={false}
      />
    </AnnotationCanvas>
  )
}
