import { useState } from 'react'
import { TextArea } from '#islands/ui/Field.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { HotspotShape } from '#lib/quiz/question/schema.ts'
import { DecimalField } from './DecimalField.tsx'
import { readPoints, writePoints } from './region-shape.ts'

interface Props {
  shape: HotspotShape
  onChange: (shape: HotspotShape) => void
  t: Translate
}

/** Position and size of a region in percent of the image. */
export function ShapeFields({ shape, onChange, t }: Props) {
  if (shape.kind === 'polygon') return <PolygonField shape={shape} onChange={onChange} t={t} />
  const number = (label: string, value: number, set: (share: number) => void) => (
    <DecimalField
      label={label}
      value={Math.round(value * 10_000) / 100}
      min={0}
      max={100}
      decimals={2}
      onChange={(percent) => set(percent / 100)}
    />
  )
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {number(t(shape.kind === 'ellipse' ? 'quizeditor:hotspot.centerX' : 'quizeditor:hotspot.left'), shape.x, (x) =>
        onChange({ ...shape, x }),
      )}
      {number(t(shape.kind === 'ellipse' ? 'quizeditor:hotspot.centerY' : 'quizeditor:hotspot.top'), shape.y, (y) =>
        onChange({ ...shape, y }),
      )}
      {shape.kind === 'rectangle' ? (
        <>
          {number(t('quizeditor:hotspot.width'), shape.width, (width) => onChange({ ...shape, width }))}
          {number(t('quizeditor:hotspot.height'), shape.height, (height) => onChange({ ...shape, height }))}
        </>
      ) : (
        <>
          {number(t('quizeditor:hotspot.radiusX'), shape.radiusX, (radiusX) => onChange({ ...shape, radiusX }))}
          {number(t('quizeditor:hotspot.radiusY'), shape.radiusY, (radiusY) => onChange({ ...shape, radiusY }))}
        </>
      )}
    </div>
  )
}

function PolygonField({ shape, onChange, t }: Props & { shape: Extract<HotspotShape, { kind: 'polygon' }> }) {
  const written = writePoints(shape.points)
  const [typed, setTyped] = useState(written)
  const parsed = readPoints(typed)
  const shown = parsed === null || writePoints(parsed) === written ? typed : written
  return (
    <TextArea
      label={t('quizeditor:hotspot.points')}
      hint={t('quizeditor:hotspot.pointsHint')}
      error={readPoints(shown) === null ? t('quizeditor:hotspot.pointsWrong') : undefined}
      rows={4}
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value)
        const points = readPoints(target.value)
        if (points) onChange({ ...shape, points })
      }}
    />
  )
}
