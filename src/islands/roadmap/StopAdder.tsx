import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { Item } from '#lib/roadmap/schema.ts'
import { type RoadmapProps, stopOf } from './roadmap.ts'

interface Props {
  stops: RoadmapProps['stops']
  onAdd: (item: Item) => void
  say: Say
}

/** A new stop: chosen from the course, or in one's own words. */
export function StopAdder({ stops, onAdd, say }: Props) {
  const [chosen, setChosen] = useState('')
  const [title, setTitle] = useState('')
  const one = stops.find(({ id }) => id === chosen)
  const add = () => {
    if (!one && title.trim() === '') return
    onAdd(stopOf(one, title.trim()))
    setTitle('')
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        className="w-full sm:w-64"
        label={say('roadmap:edit.addStop')}
        placeholder={say('roadmap:type.milestone')}
        value={chosen}
        options={stops.map(({ id, type, title: words }) => ({
          value: id,
          label: `${say(`roadmap:type.${type}`)}: ${words}`,
        }))}
        onChange={(event) => setChosen(event.target.value)}
      />
      {!one && (
        <Field
          className="w-full sm:w-64"
          label={say('roadmap:edit.stopTitle')}
          value={title}
          maxLength={160}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
      )}
      <Button onClick={add}>{say('roadmap:edit.add')}</Button>
    </div>
  )
}
