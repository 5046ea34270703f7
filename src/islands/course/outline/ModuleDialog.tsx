import { useState } from 'react'
import { RuleEditor } from '#islands/rule/RuleEditor.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import type { ModuleChange, OutlineModule } from '#lib/course/outline/schema.ts'
import type { OutlineStore } from './outline-store.ts'
import type { OutlineContext } from './outline-view.ts'

interface Props {
  module: OutlineModule
  context: OutlineContext
  store: OutlineStore
  onClose: () => void
}

/** Settings of a module. Only changed fields are sent; refused values stay in the form. */
export function ModuleDialog({ module, context: { t, zone, locale }, store, onClose }: Props) {
  const [change, setChange] = useState<ModuleChange>({})
  const [busy, setBusy] = useState(false)
  const applyChange = (part: ModuleChange) => setChange((before) => ({ ...before, ...part }))
  const shown = { ...module, ...change }
  const isTitleEmpty = shown.title.trim() === ''
  const save = async () => {
    if (isTitleEmpty) return
    setBusy(true)
    const isUnchanged = Object.keys(change).length === 0
    const isSaved =
      isUnchanged || (await store.changeModule(module.id, change, t('outline:notice.set', { title: shown.title })))
    setBusy(false)
    if (isSaved) onClose()
  }
  return (
    <ActionDialog
      title={t('outline:module.title')}
      cancelLabel={t('shell:button.cancel')}
      actionLabel={t('shell:button.save')}
      isBusy={busy}
      onAction={() => void save()}
      onClose={onClose}
    >
      <Field
        label={t('outline:moduleTitle')}
        maxLength={160}
        value={shown.title}
        error={isTitleEmpty ? t('outline:titleNeeded') : undefined}
        onChange={({ target }) => applyChange({ title: target.value })}
      />
      <TextArea
        label={t('outline:module.about')}
        hint={t('outline:module.aboutHint')}
        maxLength={1000}
        rows={3}
        value={shown.description}
        onChange={({ target }) => applyChange({ description: target.value })}
      />
      <RuleEditor
        value={shown.availability}
        onChange={(availability) => applyChange({ availability })}
        zone={zone}
        locale={locale}
        t={t}
      />
      <Checkbox
        label={t('outline:module.hidden')}
        hint={t('outline:module.hiddenHint')}
        checked={shown.hidden}
        onChange={({ target }) => applyChange({ hidden: target.checked })}
      />
    </ActionDialog>
  )
}
