import { ArrowDown, ArrowUp, Trash } from 'lucide-react'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { Stage } from '#lib/roadmap/schema.ts'
import { Act } from './Act.tsx'
import { changed, moved, placed, type RoadmapProps } from './roadmap.ts'
import { StopAdder } from './StopAdder.tsx'
import { StopRow } from './StopRow.tsx'

interface Props {
  stage: Stage
  number: number
  last: boolean
  stops: RoadmapProps['stops']
  /** Null takes the stage out. */
  onChange: (stage: Stage | null) => void
  onMove: (by: -1 | 1) => void
  say: Say
}

/** One stage with its stops. */
export function StageCard({ stage, number, last, stops, onChange, onMove, say }: Props) {
  const type = (change: Partial<Stage>) => onChange({ ...stage, ...change })
  const name = stage.title || say('roadmap:edit.stageNumber', { number })
  return (
    <li className="card-line grid gap-4 p-4 sm:p-6">
      <div className="flex items-center justify-between gap-2">
        <h2 className="min-w-0 truncate font-semibold">{say('roadmap:edit.stageNumber', { number })}</h2>
        <div className="flex">
          <Act label={say('roadmap:edit.up', { name })} disabled={number === 1} onClick={() => onMove(-1)}>
            <ArrowUp size={18} strokeWidth={1.75} aria-hidden="true" />
          </Act>
          <Act label={say('roadmap:edit.down', { name })} disabled={last} onClick={() => onMove(1)}>
            <ArrowDown size={18} strokeWidth={1.75} aria-hidden="true" />
          </Act>
          <Act label={say('roadmap:edit.remove', { name })} onClick={() => onChange(null)}>
            <Trash size={18} strokeWidth={1.75} aria-hidden="true" />
          </Act>
        </div>
      </div>
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <Field
          label={say('roadmap:edit.stageTitle')}
          value={stage.title}
          maxLength={160}
          onChange={(event) => type({ title: event.target.value })}
        />
        <Field
          label={say('roadmap:edit.period')}
          value={stage.period}
          maxLength={60}
          placeholder={say('roadmap:edit.periodExample')}
          onChange={(event) => type({ period: event.target.value })}
        />
      </div>
      <TextArea
        label={say('roadmap:edit.stageText')}
        value={stage.text}
        maxLength={1000}
        rows={2}
        onChange={(event) => type({ text: event.target.value })}
      />
      <ol className="grid gap-2" aria-label={say('roadmap:edit.stops', { name })}>
        {placed(stage.items).map(({ one, at, key }) => (
          <StopRow
            key={key}
            item={one}
            onChange={(next) => type({ items: changed(stage.items, at, next) })}
            onMove={(by) => type({ items: moved(stage.items, at, at + by) })}
            first={at === 0}
            last={at === stage.items.length - 1}
            say={say}
          />
        ))}
      </ol>
      <StopAdder stops={stops} onAdd={(item) => type({ items: [...stage.items, item] })} say={say} />
    </li>
  )
}
