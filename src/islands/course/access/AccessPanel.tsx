import { useState } from 'react'
import { DateField } from '#islands/field/DateField.tsx'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showFailure, showNotice, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { AccessEffects, type PreviewView } from './AccessEffects.tsx'
import {
  ACCESS_ACTIONS,
  type AccessForm,
  type AccessPanelProps,
  buildRequest,
  INITIAL_FORM,
  isLessonAction,
} from './access.ts'

/** Actions on the access of the selected students: choose, preview, apply, undo. */
export function AccessPanel({ courseId, zone, groups, group, strings, locale, selection, onClear }: AccessPanelProps) {
  const t = createTranslator(strings, locale)
  const [chosen, setChosen] = useState<AccessForm>(INITIAL_FORM)
  const [preview, setPreview] = useState<PreviewView | null>(null)
  const [busy, setBusy] = useState(false)
  const change = (part: Partial<AccessForm>) => setChosen({ ...chosen, ...part })
  if (selection.students.length === 0) return null
  const request = buildRequest(chosen, selection, group, zone)

  const runAction = async (run: () => Promise<void>) => {
    setBusy(true)
    try {
      await run()
    } catch (error) {
      const failure = CallError.from(error)
      if (!failure.unexpected) showFailure(failure.message)
    } finally {
      setBusy(false)
    }
  }
  const showPreview = () =>
    request && runAction(async () => setPreview(await api.course.previewAccess({ courseId, ...request })))
  const applyChange = () =>
    request &&
    runAction(async () => {
      const { changeId, students } = await api.course.changeAccess({ courseId, ...request })
      setPreview(null)
      onClear()
      const undo = () =>
        void runAction(async () => {
          await api.course.undoAccess({ changeId })
          showNotice('success', t('access:panel.undone'))
          refreshPage()
        })
      const action = { label: t('access:panel.undo'), run: undo }
      showNotice('success', t('access:panel.done', { count: students }), { action, durationMs: UNDO_NOTICE_MS })
      refreshPage()
    })

  const actions = ACCESS_ACTIONS.filter((action) => action !== 'addToGroup' || groups.length > 0)
  return (
    <section aria-label={t('access:panel.title')} className="floating access-panel">
      <p className="access-panel-chosen" role="status">
        <strong>{t('access:panel.students', { count: selection.students.length })}</strong>
        {isLessonAction(chosen.action) && (
          <span className="text-muted">
            {' · '}
            {selection.lessons.length > 0
              ? t('access:panel.lessons', { count: selection.lessons.length })
              : t('access:panel.allLessons')}
          </span>
        )}
      </p>
      <Select
        label={t('access:panel.act')}
        options={actions.map((action) => ({ value: action, label: t(`access:act.${action}`) }))}
        value={chosen.action}
        onChange={(event) =>
          change({ action: ACCESS_ACTIONS.find((action) => action === event.target.value) ?? 'open' })
        }
      />
      <ActionFields chosen={chosen} change={change} groups={groups} t={t} locale={locale} zone={zone} />
      {group && (
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="checkbox checkbox-sm"
            checked={chosen.wholeGroup}
            onChange={(event) => change({ wholeGroup: event.target.checked })}
          />
          {t('access:panel.wholeGroup', { name: group.name })}
        </label>
      )}
      <div className="access-panel-end">
        <Button tone="quiet" onClick={onClear}>
          {t('access:panel.clear')}
        </Button>
        <Button tone="primary" busy={busy} disabled={request === null} onClick={showPreview}>
          {t('access:panel.look')}
        </Button>
      </div>
      {preview && (
        <AccessEffects
          preview={preview}
          t={t}
          locale={locale}
          zone={zone}
          busy={busy}
          action={t(`access:act.${chosen.action}`)}
          note={chosen.note}
          onNote={isLessonAction(chosen.action) ? (note) => change({ note }) : null}
          onApply={applyChange}
          onClose={() => setPreview(null)}
        />
      )}
    </section>
  )
}

interface ActionFields extends Pick<AccessPanelProps, 'groups' | 'locale' | 'zone'> {
  chosen: AccessForm
  change: (part: Partial<AccessForm>) => void
  t: ReturnType<typeof createTranslator>
}

/** Additional fields of an action. */
function ActionFields({ chosen, change, groups, t, locale, zone }: ActionFields) {
  const { action } = chosen
  const dateTimeField = (name: 'from' | 'to', label: string, hint: string) => (
    <DateField
      key={`${action}-${name}`}
      kind="datetime"
      label={label}
      locale={locale}
      zone={zone}
      hint={hint}
      value={chosen[name]}
      onChange={(value) => change({ [name]: value })}
    />
  )
  if (action === 'shift') {
    return (
      <Field
        type="number"
        label={t('access:panel.days')}
        hint={t('access:panel.daysHint')}
        min={-365}
        max={365}
        value={chosen.days}
        onChange={(event) => change({ days: event.target.value })}
      />
    )
  }
  if (action === 'freeze') {
    return (
      <>
        {dateTimeField('from', t('access:panel.from'), t('access:panel.fromHint'))}
        {dateTimeField('to', t('access:panel.to'), t('access:panel.toHint'))}
      </>
    )
  }
  if (action === 'extend' || action === 'give')
    return dateTimeField('to', t('access:panel.until'), t('access:panel.untilHint'))
  if (action !== 'addToGroup') return null
  return (
    <Select
      label={t('access:panel.group')}
      placeholder={t('access:panel.groupNone')}
      options={groups.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen.groupId}
      onChange={(event) => change({ groupId: event.target.value })}
    />
  )
}
