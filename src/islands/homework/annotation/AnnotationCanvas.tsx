import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { Annotation } from '#lib/homework/schema.ts'
import type { ReviewI18n } from '../review/reviewed-submission.ts'
import { AnnotationList } from './AnnotationList.tsx'
import { AnnotationMark, AnnotationShape } from './AnnotationMark.tsx'
import {
  moveShape,
  type Point,
  resizeShape,
  type Shape,
  shapeFrom,
  shapeInMiddle,
  TOOLS,
  type Tool,
} from './annotation-shape.ts'

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

/** A shorter drag is a click, in shares of the page. */
const MIN_DRAG = 0.008

/**
 * A page with the reviewer's annotations. They are drawn with a pointer; with the keyboard an annotation is added in
 * the middle, arrows move it, Shift+arrows resize it, Delete removes it.
 */
export function AnnotationCanvas({ fileId, page, onPage, annotations, onAnnotate, i18n, children }: Props) {
  const { t } = i18n
  const [tool, setTool] = useState<Tool | null>(null)
  const [drawing, setDrawn] = useState<Shape | null>(null)
  const [pendingFocus, setWanted] = useState<Annotation | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  const path = useRef<Point[]>([])
  useEffect(() => {
    if (!pendingFocus || pendingFocus.page !== page) return
    stage.current?.querySelector<HTMLElement>(`[data-mark="${pendingFocus.id}"]`)?.focus()
    setWanted(null)
  }, [pendingFocus, page])
  const show = (mark: Annotation) => {
    if (mark.page !== page) onPage?.(mark.page)
    setWanted(mark)
  }
  const here = annotations.filter((mark) => mark.fileId === fileId)
  const numberOf = (mark: Annotation) => here.indexOf(mark) + 1
  const add = (shape: Shape) => {
    const id = crypto.randomUUID()
    onAnnotate?.([...annotations, { id, fileId, page, shape, text: '' }])
    setTimeout(() => document.querySelector<HTMLElement>(`[data-mark-text="${id}"]`)?.focus(), 0)
  }
  const change = (id: string, part: Partial<Annotation>) =>
    onAnnotate?.(annotations.map((mark) => (mark.id === id ? { ...mark, ...part } : mark)))
  const remove = (id: string) => onAnnotate?.(annotations.filter((mark) => mark.id !== id))
  const placeAt = (event: PointerEvent): Point => {
    const box = stage.current?.getBoundingClientRect()
    if (!box) return [0, 0]
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]
  }
  const pointer = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (!tool || !onAnnotate || (event.target instanceof Element && event.target.closest('button'))) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      path.current = [placeAt(event)]
      setDrawn(shapeFrom(tool, placeAt(event), placeAt(event), path.current))
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const [from] = path.current
      if (!tool || !from) return
      if (tool === 'line') path.current.push(placeAt(event))
      setDrawn(shapeFrom(tool, from, placeAt(event), path.current))
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const [from] = path.current
      if (!tool || !from) return
      const to = placeAt(event)
      const isTooShort = Math.hypot(to[0] - from[0], to[1] - from[1]) < MIN_DRAG
      const shape = isTooShort ? shapeFrom('point', from, from, []) : shapeFrom(tool, from, to, path.current)
      path.current = []
      setDrawn(null)
      add(shape)
    },
    onPointerCancel: () => {
      path.current = []
      setDrawn(null)
    },
  }
  return (
    <div className="grid gap-3">
      {onAnnotate && (
        <div role="toolbar" aria-label={t('homework:mark.tools')} className="flex flex-wrap items-center gap-1">
          {TOOLS.map((option) => (
            <Button
              key={option}
              small
              tone={tool === option ? 'primary' : 'plain'}
              aria-pressed={tool === option}
              onClick={() => setTool(tool === option ? null : option)}
            >
              {t(`homework:mark.${option}`)}
            </Button>
          ))}
          {tool && (
            <Button small tone="quiet" onClick={() => add(shapeInMiddle(tool))}>
              {t('homework:mark.middle')}
            </Button>
          )}
        </div>
      )}
      <div ref={stage} className="annotation-canvas" data-tool={onAnnotate && tool ? tool : undefined} {...pointer}>
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
                onMove: (dx: number, dy: number) => change(mark.id, { shape: moveShape(mark.shape, dx, dy) }),
                onStretch: (dx: number, dy: number) => change(mark.id, { shape: resizeShape(mark.shape, dx, dy) }),
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
