import { type ReactNode, useState } from 'react'
import type { Annotation } from '#lib/homework/schema.ts'
import type { ReviewI18n } from '../review/reviewed-submission.ts'
import { AnnotationList } from './AnnotationList.tsx'
import { AnnotationMark, AnnotationShape } from './AnnotationMark.tsx'
import { AnnotationToolbar } from './AnnotationToolbar.tsx'
import {
  type AnnotationGeometry,
  type AnnotationTool,
  createAnnotationInMiddle,
  moveAnnotation,
  resizeAnnotation,
} from './annotation-shape.ts'
import { useAnnotationFocus } from './use-annotation-focus.ts'
import { useShapeDrawing } from './use-shape-drawing.ts'

export interface AnnotationProps {
  fileId: string
  annotations: Annotation[]
  /** Null: read-only. */
  onAnnotate: ((annotations: Annotation[]) => void) | null
  i18n: Pick<ReviewI18n, 't'>
}

interface Props extends AnnotationProps {
  page: number
  onPage?: (page: number) => void
  children: ReactNode
}

/**
 * A page with the reviewer's annotations. They are drawn with a pointer; with the keyboard an annotation is added in
 * the middle, arrows move it, Shift+arrows resize it, Delete removes it.
 */
export function AnnotationCanvas({ fileId, page, onPage, annotations, onAnnotate, i18n, children }: Props) {
  const { t } = i18n
  const [tool, setTool] = useState<AnnotationTool | null>(null)
  const { container, setPendingFocus } = useAnnotationFocus()
  const show = (mark: Annotation) => {
    if (mark.page !== page) onPage?.(mark.page)
    setPendingFocus({ id: mark.id, part: 'mark' })
  }
  const here = annotations.filter((mark) => mark.fileId === fileId)
  const numberOf = (mark: Annotation) => here.indexOf(mark) + 1
  const add = (shape: AnnotationGeometry) => {
    const id = crypto.randomUUID()
    onAnnotate?.([...annotations, { id, fileId, page, shape, text: '' }])
    setPendingFocus({ id, part: 'comment' })
  }
  const change = (id: string, part: Partial<Annotation>) =>
    onAnnotate?.(annotations.map((mark) => (mark.id === id ? { ...mark, ...part } : mark)))
  const remove = (id: string) => onAnnotate?.(annotations.filter((mark) => mark.id !== id))
  const activeTool = onAnnotate ? tool : null
  const { drawing, handlers } = useShapeDrawing(activeTool, add)
  return (
    <div ref={container} className="grid gap-3">
      {onAnnotate && (
        <AnnotationToolbar
          tool={tool}
          t={t}
          onTool={setTool}
          onMiddle={(selected) => add(createAnnotationInMiddle(selected))}
        />
      )}
      <div className="annotation-canvas" data-tool={activeTool ?? undefined} {...handlers}>
        {children}
        <svg className="annotation-marks" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {here
            .filter((mark) => mark.page === page)
            .map((mark) => (
              <AnnotationShape key={mark.id} shape={mark.shape} />
            ))}
          {drawing && <AnnotationShape shape={drawing} />}
        </svg>
        {here
          .filter((mark) => mark.page === page)
          .map((mark) => (
            <AnnotationMark
              key={mark.id}
              mark={mark}
              number={numberOf(mark)}
              t={t}
              {...(onAnnotate && {
                onMove: (dx: number, dy: number) => change(mark.id, { shape: moveAnnotation(mark.shape, dx, dy) }),
                onStretch: (dx: number, dy: number) => change(mark.id, { shape: resizeAnnotation(mark.shape, dx, dy) }),
                onRemove: () => remove(mark.id),
              })}
            />
          ))}
      </div>
      <AnnotationList
        marks={here}
        page={page}
        t={t}
        onPage={onPage}
        onShow={show}
        {...(onAnnotate && { onText: (id: string, text: string) => change(id, { text }), onRemove: remove })}
      />
    </div>
  )
}
