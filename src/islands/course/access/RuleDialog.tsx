import { useState } from 'react'
import { RuleEditor } from '#islands/rule/RuleEditor.tsx'
import { ActionDialog } from '#islands/ui/dialog/ActionDialog.tsx'
import type { OutlineLesson } from '#lib/course/outline/schema.ts'
import type { AccessRule } from '#lib/course/schema.ts'
import type { OutlineStore } from '../outline/outline-store.ts'
import type { OutlineContext } from '../outline/outline-view.ts'

interface Props {
  lessons: OutlineLesson[]
  context: OutlineContext
  store: OutlineStore
  onClose: () => void
}

/** Edits when lessons open. */
export function RuleDialog({ lessons, context: { t, zone, locale }, store, onClose }: Props) {
  const rules = new Set(lessons.map(({ availability }) => JSON.stringify(availability)))
  const [rule, setRule] = useState<AccessRule>((rules.size === 1 && lessons[0]?.availability) || { mode: 'open' })
  const ids = lessons.map(({ id }) => id)
  const save = () => {
    void store.change(ids, { availability: rule }, t('outline:notice.ruled', { count: ids.length }))
    onClose()
  }
  return (
    <ActionDialog
      title={t('outline:rule.title', { count: ids.length })}
      text={rules.size > 1 ? t('outline:rule.mixed') : undefined}
      cancelLabel={t('shell:button.cancel')}
      actionLabel={t('shell:button.save')}
      onAction={save}
      onClose={onClose}
    >
      <RuleEditor value={rule} onChange={setRule} zone={zone} locale={locale} t={t} />
    </ActionDialog>
  )
}
