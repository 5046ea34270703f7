import { useState } from 'react'
import { RuleEditor } from '#islands/rule/RuleEditor.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import type { ModuleChange, OutlineModule } from '#lib/course/outline/schema.ts'
import type { OutlineStore } from './outline-store.ts'
import type { OutlineWords } from './outline-view.ts'

interface Props {
  module: OutlineModule
  words: OutlineWords
  store: OutlineStore
  onClose: () => void
}

/** A module's title, what it is about, when it opens. Only what is changed here is sent; what is refused stays typed. */
export function ModuleWindow({ module, words: { say, zone }, store, onClose }: Props) {
  const [change, setChange] = useState<ModuleChange>({})
  const [busy, setBusy] = useState(false)
  const set = (some: ModuleChange) => setChange((before) => ({ ...before, ...some }))
  const shown = { ...module, ...change }
  const empty = shown.title.trim() === ''
  const save = async () => {
    if (empty) return
    setBusy(true)
    const nothing = Object.keys(change).length === 0
    const done =
      nothing || (await store.changeModule(module.id, change, say('outline:said.set', { title: shown.title })))
    setBusy(false)
    if (done) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={say('outline:module.title')}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" busy={busy} onClick={() => void save()}>
            {say('shell:button.save')}
          </Button>
        </>
      )}
    >
      <div className="grid gap-5">
        <Field
          label={say('outline:moduleTitle')}
          maxLength={160}
          value={shown.title}
          error={empty ? say('outline:titleNeeded') : undefined}
          onChange={({ target }) => set({ title: target.value })}
        />
        <TextArea
          label={say('outline:module.about')}
          hint={say('outline:module.aboutHint')}
          maxLength={1000}
          rows={3}
          value={shown.description}
          onChange={({ target }) => set({ description: target.value })}
        />
        <RuleEditor
          value={shown.availability}
          onChange={(availability) => set({ availability })}
          zone={zone}
          say={say}
        />
        <Checkbox
          label={say('outline:module.hidden')}
          hint={say('outline:module.hiddenHint')}
          checked={shown.hidden}
          onChange={({ target }) => set({ hidden: target.checked })}
        />
      </div>
    </Dialog>
  )
}
