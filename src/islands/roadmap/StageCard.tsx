import { Field, TextArea } from '#islands/ui/Field.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RoadmapStage } from '#lib/roadmap/schema.ts'
import { MoveButtons } from './MoveButtons.tsx'
import { moveItem, type RoadmapProps, replaceItem, withKeys } from './roadmap.ts'
import { StopAdder } from './StopAdder.tsx'
import { StopRow } from './StopRow.tsx'

interface Props {
  stage: RoadmapStage
  number: number
  isLast: boolean
  stops: RoadmapProps['stops']
  /** Null removes the stage. */
  onChange: (stage: RoadmapStage | null) => void
  onMove: (by: -1 | 1) => void
  t: Translate
}

/** One stage with its stops. */
export function StageCard({ stage, number, isLast, stops, onChange, onMove, t }: Props) {
  const changeStage = (change: Partial<RoadmapStage>) => onChange({ ...stage, ...change })
  const name = stage.title || t('roadmap:edit.stageNumber', { number })
  return (
    <li className="card-line grid gap-4 p-4 sm:p-6">
      <div className="flex items-center justify-between gap-2">
        <h2 className="min-w-0 truncate font-semibold">{t('roadmap:edit.stageNumber', { number })}</h2>
        <div className="flex">
          <MoveButtons
            name={name}
            isFirst={number === 1}
            isLast={isLast}
            onMove={onMove}
            onRemove={() => onChange(null)}
            t={t}
          />
        </div>
      </div>
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <Field
          label={t('roadmap:edit.stageTitle')}
          value={stage.title}
          maxLength={160}
          onChange={(event) => changeStage({ title: event.target.value })}
        />
        <Field
          label={t('roadmap:edit.period')}
          value={stage.period}
          maxLength={60}
          placeholder={t('roadmap:edit.periodExample')}
          onChange={(event) => changeStage({ period: event.target.value })}
        />
      </div>
      <TextArea
        label={t('roadmap:edit.stageText')}
        value={stage.text}
        maxLength={1000}
        rows={2}
        onChange={(event) => changeStage({ text: event.target.value })}
      />
      <ol className="grid gap-2" aria-label={t('roadmap:edit.stops', { name })}>
        {withKeys(stage.items).map(({ item, index, key }) => (
          <StopRow
            key={key}
            item={item}
            onChange={(next) => changeStage({ items: replaceItem(stage.items, index, next) })}
            onMove={(offset) => changeStage({ items: moveItem(stage.items, index, index + offset) })}
            isFirst={index === 0}
            isLast={index === stage.items.length - 1}
            t={t}
          />
        ))}
      </ol>
      <StopAdder stops={stops} onAdd={(item) => changeStage({ items: [...stage.items, item] })} t={t} />
    </li>
  )
}
