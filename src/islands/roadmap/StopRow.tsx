import { ArrowDown, ArrowUp, Trash } from 'lucide-react'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { Item } from '#lib/roadmap/schema.ts'
import { Act } from './Act.tsx'

interface Props {
  item: Item
  first: boolean
  last: boolean
  /** Null takes the stop out. */
  onChange: (item: Item | null) => void
  onMove: (by: -1 | 1) => void
  say: Say
}

/** One stop: a line that unfolds to all that is said of it. */
export function StopRow({ item, first, last, onChange, onMove, say }: Props) {
  const type = (change: Partial<Item>) => onChange({ ...item, ...change })
  const name = item.title || say(`roadmap:type.${item.type}`)
  return (
    <li className="flex items-start gap-1 border-base-300 border-b pb-2 last:border-0">
      <details className="min-w-0 flex-1">
        <summary className="min-h-8 py-1">
          {name} <span className="text-muted text-sm">· {say(`roadmap:type.${item.type}`)}</span>
        </summary>
        <div className="mt-3 grid gap-3 pb-2">
          <div className="grid gap-3 sm:grid-cols-[2fr_1fr]">
            <Field
              label={say('roadmap:edit.stopTitle')}
              value={item.title}
              maxLength={160}
              onChange={(event) => type({ title: event.target.value })}
            />
            <Field
              label={say('roadmap:edit.duration')}
              value={item.duration}
              maxLength={60}
              placeholder={say('roadmap:edit.durationExample')}
              onChange={(event) => type({ duration: event.target.value })}
            />
          </div>
          <TextArea
            label={say('roadmap:edit.stopText')}
            value={item.description}
            maxLength={600}
            rows={2}
            onChange={(event) => type({ description: event.target.value })}
          />
          <Checkbox
            label={say('roadmap:edit.optional')}
            checked={item.optional}
            onChange={(event) => type({ optional: event.target.checked })}
          />
        </div>
      </details>
      <Act label={say('roadmap:edit.up', { name })} disabled={first} onClick={() => onMove(-1)}>
        <ArrowUp size={16} strokeWidth={1.75} aria-hidden="true" />
      </Act>
      <Act label={say('roadmap:edit.down', { name })} disabled={last} onClick={() => onMove(1)}>
        <ArrowDown size={16} strokeWidth={1.75} aria-hidden="true" />
      </Act>
      <Act label={say('roadmap:edit.remove', { name })} onClick={() => onChange(null)}>
        <Trash size={16} strokeWidth={1.75} aria-hidden="true" />
      </Act>
    </li>
  )
}
