import { useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { OutlineModule } from '#lib/course/outline/schema.ts'
import type { OutlineStore } from './outline-store.ts'
import { moduleOf, type OutlineWords } from './outline-view.ts'

interface Props {
  ids: string[]
  modules: readonly OutlineModule[]
  words: OutlineWords
  store: OutlineStore
  onClose: () => void
}

/** Where lessons go: the way for those who do not drag. */
export function MoveWindow({ ids, modules, words: { say }, store, onClose }: Props) {
  const [moduleId, setModuleId] = useState(moduleOf(modules, ids[0] ?? '')?.id ?? '')
  const [behind, setBehind] = useState('')
  const there = (modules.find(({ id }) => id === moduleId)?.lessons ?? []).filter(({ id }) => !ids.includes(id))
  const last = there.at(-1)?.id ?? 'first'
  const chosen = behind || last
  const move = () => {
    const at = there.findIndex(({ id }) => id === chosen)
    store.place(ids, moduleId, there[at + 1]?.id ?? null)
    onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={say('outline:move.title', { count: ids.length })}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" onClick={move}>
            {say('outline:move.submit')}
          </Button>
        </>
      )}
    >
      <div className="grid gap-4">
        <Select
          label={say('outline:move.module')}
          options={modules.map(({ id, title }) => ({ value: id, label: title }))}
          value={moduleId}
          onChange={({ target }) => {
            setModuleId(target.value)
            setBehind('')
          }}
        />
        <Select
          label={say('outline:move.place')}
          options={[
            { value: 'first', label: say('outline:move.first') },
            ...there.map(({ id, title }) => ({ value: id, label: say('outline:move.after', { title }) })),
          ]}
          value={chosen}
          onChange={({ target }) => setBehind(target.value)}
        />
      </div>
    </Dialog>
  )
}
