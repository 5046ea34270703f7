import type { DeskFile } from '../review/reviewed-submission.ts'
import { AnnotateStage, type MarksProps } from './AnnotationCanvas.tsx'

/** A picture that can be marked. */
export function AnnotatePicture({
  picture,
  name,
  ...marks
}: MarksProps & { picture: NonNullable<DeskFile['picture']>; name: string }) {
  const { width, height } = picture
  return (
    <AnnotateStage {...marks} page={1}>
      <img
        src={picture.src}
        alt={name}
        {...(width && height ? { width, height } : {})}
        className="desk-picture"
        draggable={false}
      />
    </AnnotateStage>
  )
}
