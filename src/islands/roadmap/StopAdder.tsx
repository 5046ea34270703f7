import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { RoadmapItem } from '#lib/roadmap/schema.ts'
import { createStop, type RoadmapProps } from './roadmap.ts'

interface Props {
  stops: RoadmapProps['stops']
  onAdd: (item: RoadmapItem) => void
  t: Translate
}

/** Adds a stop: one of the course, or a free text. */
export function StopAdder({ stops, onAdd, t }: Props) {
  const [selectedId, setSelectedId] = useState('')
  const [title, setTitle] = useState('')
  const selected = stops.find(({ id }) => id === selectedId)
  const addStop = () => {
    if (!selected && title.trim() === '') return
    onAdd(createStop(selected, title.trim()))
    setTitle('')
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Select
        className="w-full sm:w-64"
        label={t('roadmap:edit.addStop')}
        placeholder={t('roadmap:type.milestone')}
        value={selectedId}
        options={stops.map(({ id, type, title: stopTitle }) => ({
          value: id,
          label: `${t(`roadmap:type.${type}`)}: ${stopTitle}`,
        }))}
        onChange={(event) => setSelectedId(event.target.value)}
      />
      {!selected && (
        <Field
          className="w-full sm:w-64"
          label={t('roadmap:edit.stopTitle')}
          value={title}
          maxLength={160}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            addStop()
          }}
        />
      )}
      <Button onClick={addStop}>{t('roadmap:edit.add')}</Button>
    </div>
  )
}
