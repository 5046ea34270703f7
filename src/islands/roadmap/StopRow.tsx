import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RoadmapItem } from '#lib/roadmap/schema.ts'
import { MoveButtons } from './MoveButtons.tsx'

interface Props {
  item: RoadmapItem
  isFirst: boolean
  isLast: boolean
  /** Null removes the stop. */
  onChange: (item: RoadmapItem | null) => void
  onMove: (by: -1 | 1) => void
  t: Translate
}

/** One stop, collapsed to a line. */
export function StopRow({ item, isFirst, isLast, onChange, onMove, t }: Props) {
  const changeStop = (change: Partial<RoadmapItem>) => onChange({ ...item, ...change })
  const name = item.title || t(`roadmap:type.${item.type}`)
  return (
    <li className="flex items-start gap-1 border-base-300 border-b pb-2 last:border-0">
      <details className="min-w-0 flex-1">
        <summary className="min-h-8 py-1">
          {name} <span className="text-muted text-sm">· {t(`roadmap:type.${item.type}`)}</span>
        </summary>
        <div className="mt-3 grid gap-3 pb-2">
          <div className="grid gap-3 sm:grid-cols-[2fr_1fr]">
            <Field
              label={t('roadmap:edit.stopTitle')}
              value={item.title}
              maxLength={160}
              onChange={(event) => changeStop({ title: event.target.value })}
            />
            <Field
              label={t('roadmap:edit.duration')}
              value={item.duration}
              maxLength={60}
              placeholder={t('roadmap:edit.durationExample')}
              onChange={(event) => changeStop({ duration: event.target.value })}
            />
          </div>
          <TextArea
            label={t('roadmap:edit.stopText')}
            value={item.description}
            maxLength={600}
            rows={2}
            onChange={(event) => changeStop({ description: event.target.value })}
          />
          <Checkbox
            label={t('roadmap:edit.optional')}
            checked={item.optional}
            onChange={(event) => changeStop({ optional: event.target.checked })}
          />
        </div>
      </details>
      <MoveButtons
        name={name}
        isFirst={isFirst}
        isLast={isLast}
        onMove={onMove}
        t={t}
        onRemove={() => onChange(null)}
      />
    </li>
  )
}
