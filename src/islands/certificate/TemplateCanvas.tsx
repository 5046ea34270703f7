import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { encode } from 'uqr'
import { type Drawing, layoutTemplate } from '#lib/certificate/template/layout-rules.ts'
import type { TemplateElement, TemplateText } from '#lib/certificate/template/schema.ts'
import { FILE_PATH } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { arrowStep, roundLength, roundMm, type Snapped, snapElement } from './geometry.ts'
import { cssFontFamilyOf, measureInBrowser, type TemplateEditorProps } from './template-editor.ts'

interface Props extends Pick<TemplateEditorProps, 'texts' | 'link' | 'color' | 'logo'> {
  value: TemplateText
  selectedId: string | null
  onSelect: (id: string | null) => void
  /** Changes with the same `key` are joined to one undo step. */
  onChange: (element: TemplateElement, key: string) => void
  onRemove: (id: string) => void
  t: Translate
}

interface Drag {
  id: string
  mode: 'move' | 'resize'
  /** The position of the pointer at the start, and the frame of the element. */
  from: { x: number; y: number }
  frame: { x: number; y: number; w: number; h: number }
  key: string
}

/** The page of a template: elements are moved and resized by pointer and by arrow keys. */
export function TemplateCanvas({ value, selectedId, onSelect, onChange, onRemove, t, ...sample }: Props) {
  const svg = useRef<SVGSVGElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [guides, setGuides] = useState<Snapped['guides']>({ x: [], y: [] })
  const [, redraw] = useState(0)
  // Texts are measured again after the fonts of the page are loaded.
  useEffect(() => void document.fonts.ready.then(() => redraw((count) => count + 1)), [])
  const layout = layoutTemplate({ template: value, ...sample }, measureInBrowser)
  const selected = value.elements.find(({ id }) => id === selectedId)

  const pointOf = (event: PointerEvent) => {
    const box = svg.current?.getBoundingClientRect()
    const scale = box ? layout.width / box.width : 1
    return { x: (event.clientX - (box?.left ?? 0)) * scale, y: (event.clientY - (box?.top ?? 0)) * scale }
  }
  const startDrag = (event: PointerEvent, element: TemplateElement, mode: Drag['mode']) => {
    event.preventDefault()
    svg.current?.setPointerCapture(event.pointerId)
    svg.current?.focus()
    onSelect(element.id)
    const { x, y, w, h } = element
    setDrag({ id: element.id, mode, from: pointOf(event), frame: { x, y, w, h }, key: `${mode} ${event.timeStamp}` })
  }
  const continueDrag = (event: PointerEvent) => {
    const element = drag && value.elements.find(({ id }) => id === drag.id)
    if (!drag || !element) return
    const point = pointOf(event)
    const [dx, dy] = [point.x - drag.from.x, point.y - drag.from.y]
    const { frame } = drag
    if (drag.mode === 'resize') {
      onChange({ ...element, w: roundLength(frame.w + dx), h: roundLength(frame.h + dy) }, drag.key)
      return
    }
    const { guides: found, ...position } = snapElement(value, element, { x: frame.x + dx, y: frame.y + dy })
    setGuides(found)
    onChange({ ...element, ...position }, drag.key)
  }
  const endDrag = () => {
    setDrag(null)
    setGuides({ x: [], y: [] })
  }
  const pressKey = (event: KeyboardEvent) => {
    if (!selected) return
    const step = arrowStep(event.key, event.shiftKey)
    if (step) {
      event.preventDefault()
      const moved = { ...selected, x: roundMm(selected.x + step.x), y: roundMm(selected.y + step.y) }
      onChange(moved, `arrow ${selected.id}`)
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      onRemove(selected.id)
    } else if (event.key === 'Escape') onSelect(null)
  }

  return (
    <div
      ref={makeFocusable}
      role="application"
      aria-label={t('certificate:edit.canvas')}
      className="certificate-canvas"
      onKeyDown={pressKey}
    >
      <svg
        ref={svg}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        aria-hidden="true"
        className="block w-full"
        onPointerMove={continueDrag}
        onPointerUp={endDrag}
        onPointerCancel={endDrag}
        onPointerDown={() => onSelect(null)}
      >
        <rect width={layout.width} height={layout.height} fill={layout.background} />
        {layout.backgroundFileId && (
          <image
            href={`${FILE_PATH}${layout.backgroundFileId}`}
            width={layout.width}
            height={layout.height}
            preserveAspectRatio="xMidYMid slice"
          />
        )}
        {numberDrawings(layout.drawings).map(({ key, drawing }) => (
          <DrawnPart key={key} drawing={drawing} logo={sample.logo} />
        ))}
        {value.elements.map((element) => (
          <rect
            key={element.id}
            x={element.x}
            y={element.y - (element.h < 2 ? 1 : 0)}
            width={element.w}
            height={Math.max(element.h, 2)}
            className="certificate-hit"
            data-selected={element.id === selectedId ? '' : undefined}
            onPointerDown={(event) => {
              event.stopPropagation()
              startDrag(event, element, 'move')
            }}
          />
        ))}
        {selected && (
          <rect
            x={selected.x + selected.w - 2}
            y={selected.y + selected.h - 2}
            width={4}
            height={4}
            className="certificate-handle"
            onPointerDown={(event) => {
              event.stopPropagation()
              startDrag(event, selected, 'resize')
            }}
          />
        )}
        {guides.x.map((x) => (
          <line key={`x${x}`} x1={x} x2={x} y1={0} y2={layout.height} className="certificate-guide" />
        ))}
        {guides.y.map((y) => (
          <line key={`y${y}`} x1={0} x2={layout.width} y1={y} y2={y} className="certificate-guide" />
        ))}
      </svg>
    </div>
  )
}

function DrawnPart({ drawing, logo }: { drawing: Drawing; logo: string | null }) {
  if (drawing.kind === 'rect') {
    const { x, y, w, h, color } = drawing
    return <rect x={x} y={y} width={w} height={h} fill={color} />
  }
  if (drawing.kind === 'text') {
    const { x, baseline, size, color, font, weight, text } = drawing
    const style = { fontFamily: cssFontFamilyOf(font), fontWeight: weight, fontSize: size }
    return (
      <text x={x} y={baseline} fill={color} style={style}>
        {text}
      </text>
    )
  }
  if (drawing.kind === 'qr') return <QrPart {...drawing} />
  const { x, y, w, h, fileId } = drawing
  const href = fileId ? `${FILE_PATH}${fileId}` : logo
  return href ? (
    <image href={href} x={x} y={y} width={w} height={h} />
  ) : (
    <rect x={x} y={y} width={w} height={h} className="certificate-placeholder" />
  )
}

function QrPart({ x, y, side, color, value }: Extract<Drawing, { kind: 'qr' }>) {
  const { data, size } = encode(value, { ecc: 'M', border: 0 })
  const module = side / size
  const path = data
    .flatMap((cells, row) =>
      cells.flatMap((isDark, column) =>
        isDark ? [`M${x + column * module} ${y + row * module}h${module}v${module}h-${module}z`] : [],
      ),
    )
    .join('')
  return <path d={path} fill={color} />
}

/** Drawings are recomputed from the elements and have no ids: their key is the index in the order of drawing. */
const numberDrawings = (drawings: readonly Drawing[]) =>
  drawings.map((drawing, index) => ({ key: `drawing ${index}`, drawing }))

/** The page of the template can be focused, so that arrow keys move the selected element. */
function makeFocusable(element: HTMLDivElement | null): void {
  if (element) element.tabIndex = 0
}
