import { useState } from 'react'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { OutlineModule } from '#lib/course/outline/schema.ts'
import type { OutlineStore } from './outline-store.ts'
import { moduleOf, type OutlineContext } from './outline-view.ts'

interface Props {
  ids: string[]
  modules: readonly OutlineModule[]
  context: OutlineContext
  store: OutlineStore
  onClose: () => void
}

/** Moves lessons without drag and drop. */
export function MoveLessonsDialog({ ids, modules, context: { t }, store, onClose }: Props) {
  const [moduleId, setModuleId] = useState(moduleOf(modules, ids[0] ?? '')?.id ?? '')
  const [afterId, setAfterId] = useState('')
  const targetLessons = (modules.find(({ id }) => id === moduleId)?.lessons ?? []).filter(({ id }) => !ids.includes(id))
  const last = targetLessons.at(-1)?.id ?? 'first'
  const selectedId = afterId || last
  const move = () => {
    const index = targetLessons.findIndex(({ id }) => id === selectedId)
    store.place(ids, moduleId, targetLessons[index + 1]?.id ?? null)
    onClose()
  }
  return (
    <ActionDialog
      title={t('outline:move.title', { count: ids.length })}
      cancelLabel={t('shell:button.cancel')}
      actionLabel={t('outline:move.submit')}
      onAction={move}
      onClose={onClose}
    >
      <Select
        label={t('outline:move.module')}
        options={modules.map(({ id, title }) => ({ value: id, label: title }))}
        value={moduleId}
        onChange={({ target }) => {
          setModuleId(target.value)
          setAfterId('')
        }}
      />
      <Select
        label={t('outline:move.place')}
        options={[
          { value: 'first', label: t('outline:move.first') },
          ...targetLessons.map(({ id, title }) => ({ value: id, label: t('outline:move.after', { title }) })),
        ]}
        value={selectedId}
        onChange={({ target }) => setAfterId(target.value)}
      />
    </ActionDialog>
  )
}
