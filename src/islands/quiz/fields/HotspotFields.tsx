import { useState } from 'react'
import { FilePicker } from '#islands/picker/FilePicker.tsx'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { HotspotShape, QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { newPartId } from '../editor/blank-question.ts'
import type { FieldsProps } from '../editor/question-props.ts'
import { PartList } from './PartList.tsx'
import { RegionCanvas } from './RegionCanvas.tsx'
import { changeKind, SHAPE_KINDS, shapeInMiddle } from './region-shape.ts'
import { ShapeFields } from './ShapeFields.tsx'

/** An image with the regions that are right and wrong. */
export function HotspotFields({ content, onChange, issueAt, t }: FieldsProps<QuestionContentOfType<'hotspot'>>) {
  const [isPicking, setIsPicking] = useState(false)
  const [tool, setTool] = useState<(typeof SHAPE_KINDS)[number]>('rectangle')
  const { imageFileId, imageAlt, regions } = content
  const newRegion = (shape: HotspotShape) => ({ id: newPartId(), label: '', shape, correct: true })
  const kinds = SHAPE_KINDS.map((kind) => ({ value: kind, label: t(`quizeditor:hotspot.kinds.${kind}`) }))
  const chosenKind = (value: string) => SHAPE_KINDS.find((kind) => kind === value) ?? 'rectangle'
  const imageIssue = issueAt('imageFileId')
  return (
    <>
      <div className="grid gap-2">
        <Button className="justify-self-start" onClick={() => setIsPicking(true)}>
          {t(imageFileId ? 'quizeditor:hotspot.changeImage' : 'quizeditor:hotspot.chooseImage')}
        </Button>
        {imageIssue && <p className="field-error">{imageIssue}</p>}
        {isPicking && (
          <FilePicker
            open
            onOpenChange={setIsPicking}
            kinds={['image']}
            t={t}
            locale={readPageLocale()}
            onPick={({ id }) => onChange({ ...content, imageFileId: id })}
          />
        )}
      </div>
      <Field
        label={t('quizeditor:hotspot.alt')}
        hint={t('quizeditor:hotspot.altHint')}
        value={imageAlt}
        maxLength={500}
        error={issueAt('imageAlt')}
        onChange={({ target }) => onChange({ ...content, imageAlt: target.value })}
      />
      {imageFileId && (
        <div className="grid gap-3">
          <Select
            label={t('quizeditor:hotspot.tool')}
            hint={t('quizeditor:hotspot.toolHint')}
            options={kinds}
            value={tool}
            className="max-w-72"
            onChange={({ target }) => setTool(chosenKind(target.value))}
          />
          <RegionCanvas
            imageFileId={imageFileId}
            imageAlt={imageAlt}
            regions={regions}
            tool={tool}
            onDraw={(shape) => onChange({ ...content, regions: [...regions, newRegion(shape)] })}
            onChange={(region) =>
              onChange({ ...content, regions: regions.map((other) => (other.id === region.id ? region : other)) })
            }
            onRemove={(region) => onChange({ ...content, regions: regions.filter(({ id }) => id !== region.id) })}
            t={t}
          />
        </div>
      )}
      <PartList
        label={t('quizeditor:hotspot.regions')}
        error={issueAt('regions')}
        parts={regions}
        onChange={(next) => onChange({ ...content, regions: next })}
        nameOf={(number) => t('quizeditor:hotspot.region', { number })}
        addLabel={t('quizeditor:hotspot.add')}
        create={() => newRegion(shapeInMiddle(tool))}
        t={t}
      >
        {(region, index, set) => (
          <>
            <div className="grid gap-3 sm:grid-cols-2">
              <Field
                label={t('quizeditor:hotspot.label', { number: index + 1 })}
                value={region.label}
                maxLength={120}
                onChange={({ target }) => set({ ...region, label: target.value })}
              />
              <Select
                label={t('quizeditor:hotspot.kind')}
                options={kinds}
                value={region.shape.kind}
                onChange={({ target }) => set({ ...region, shape: changeKind(region.shape, chosenKind(target.value)) })}
              />
            </div>
            <ShapeFields shape={region.shape} onChange={(shape) => set({ ...region, shape })} t={t} />
            <Checkbox
              label={t('quizeditor:hotspot.correct')}
              checked={region.correct}
              onChange={({ target }) => set({ ...region, correct: target.checked })}
            />
          </>
        )}
      </PartList>
    </>
  )
}
