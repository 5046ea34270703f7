import './annotation.css'
import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { Annotation } from '#lib/homework/schema.ts'
import type { DeskWords } from '../review/reviewed-submission.ts'
import { AnnotateList } from './AnnotationList.tsx'
import { AnnotateMark, AnnotateShape } from './AnnotationMark.tsx'
import {
  moved,
  type Place,
  type Shape,
  shapeFrom,
  shapeInMiddle,
  stretched,
  TOOLS,
  type Tool,
} from './annotation-shape.ts'

export interface MarksProps {
  fileId: string
  annotations: Annotation[]
  /** Null: they are only looked at. */
  onAnnotate: ((annotations: Annotation[]) => void) | null
  words: Pick<DeskWords, 't'>
}

interface Props extends MarksProps {
  page: number
  onPage?: (page: number) => void
  children: ReactNode
}

/** Too short to be meant as a box or a line, in shares of the page. */
const SLIP = 0.008

/**
 * A page with the reviewer's marks on it. With a pointer they are drawn; with the keyboard a mark comes into the middle,
 * arrows move it, Shift+arrows stretch it, Delete takes it away.
 */
export function AnnotateStage({ fileId, page, onPage, annotations, onAnnotate, words, children }: Props) {
  const { t } = words
  const [tool, setTool] = useState<Tool | null>(null)
  const [drawn, setDrawn] = useState<Shape | null>(null)
  const [wanted, setWanted] = useState<Annotation | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  const trail = useRef<Place[]>([])
  useEffect(() => {
    if (!wanted || wanted.page !== page) return
    stage.current?.querySelector<HTMLElement>(`[data-mark="${wanted.id}"]`)?.focus()
    setWanted(null)
  }, [wanted, page])
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
  const placeAt = (event: PointerEvent): Place => {
    const box = stage.current?.getBoundingClientRect()
    if (!box) return [0, 0]
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height]
  }
  const pointer = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (!tool || !onAnnotate || (event.target instanceof Element && event.target.closest('button'))) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      trail.current = [placeAt(event)]
      setDrawn(shapeFrom(tool, placeAt(event), placeAt(event), trail.current))
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const [from] = trail.current
      if (!tool || !from) return
      if (tool === 'line') trail.current.push(placeAt(event))
      setDrawn(shapeFrom(tool, from, placeAt(event), trail.current))
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const [from] = trail.current
      if (!tool || !from) return
      const to = placeAt(event)
      const slipped = Math.hypot(to[0] - from[0], to[1] - from[1]) < SLIP
      const shape = slipped ? shapeFrom('point', from, from, []) : shapeFrom(tool, from, to, trail.current)
      trail.current = []
      setDrawn(null)
      add(shape)
    },
    onPointerCancel: () => {
      trail.current = []
      setDrawn(null)
    },
  }
  return (
    <div className="grid gap-3">
      {onAnnotate && (
        <div role="toolbar" aria-label={t('homework:mark.tools')} className="flex flex-wrap items-center gap-1">
          {TOOLS.map((one) => (
            <Button
              key={one}
              small
              tone={tool === one ? 'primary' : 'plain'}
              aria-pressed={tool === one}
              onClick={() => setTool(tool === one ? null : one)}
            >
              {t(`homework:mark.${one}`)}
            </Button>
          ))}
          {tool && (
            <Button small tone="quiet" onClick={() => add(shapeInMiddle(tool))}>
              {t('homework:mark.middle')}
            </Button>
          )}
        </div>
      )}
      <div ref={stage} className="desk-stage" data-tool={onAnnotate && tool ? tool : undefined} {...pointer}>
        {children}
        <svg className="desk-marks" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {here
            .filter((mark) => mark.page === page)
            .map((mark) => (
              <AnnotateShape key={mark.id} shape={mark.shape} />
            ))}
          {drawn && <AnnotateShape shape={drawn} />}
        </svg>
        {here
          .filter((mark) => mark.page === page)
          .map((mark) => (
            <AnnotateMark
              key={mark.id}
              mark={mark}
              number={numberOf(mark)}
              t={t}
              {...(onAnnotate && {
                onMove: (dx: number, dy: number) => change(mark.id, { shape: moved(mark.shape, dx, dy) }),
                onStretch: (dx: number, dy: number) => change(mark.id, { shape: stretched(mark.shape, dx, dy) }),
                onRemove: () => remove(mark.id),
              })}
            />
          ))}
      </div>
      <AnnotateList
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
