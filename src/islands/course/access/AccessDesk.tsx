import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { fail, notify } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { speak } from '#lib/core/shared/text/strings.ts'
import { AccessEffects, type PreviewView } from './AccessEffects.tsx'
import { ACTS, aboutLessons, askedOf, BEGIN, type Chosen, type DeskProps } from './access.ts'

const UNDO_MILLISECONDS = 10_000

/** What can be done to the ticked students' access: chosen, looked at, applied, taken back. */
export function AccessDesk({ courseId, zone, groups, group, strings, locale, picked, onClear }: DeskProps) {
  const say = speak(strings, locale)
  const [chosen, setChosen] = useState<Chosen>(BEGIN)
  const [preview, setPreview] = useState<PreviewView | null>(null)
  const [busy, setBusy] = useState(false)
  const change = (part: Partial<Chosen>) => setChosen({ ...chosen, ...part })
  if (picked.students.length === 0) return null
  const asked = askedOf(chosen, picked, group, zone)

  const attempt = async (run: () => Promise<void>) => {
    setBusy(true)
    try {
      await run()
    } catch (error) {
      const failure = CallError.from(error)
      if (!failure.unexpected) fail(failure.message)
    } finally {
      setBusy(false)
    }
  }
  const look = () => asked && attempt(async () => setPreview(await api.course.previewAccess({ courseId, ...asked })))
  const apply = () =>
    asked &&
    attempt(async () => {
      const { changeId, students } = await api.course.changeAccess({ courseId, ...asked })
      setPreview(null)
      onClear()
      const undo = () =>
        void attempt(async () => {
          await api.course.undoAccess({ changeId })
          notify('success', say('access:desk.undone'))
          refreshPage()
        })
      const action = { label: say('access:desk.undo'), run: undo }
      notify('success', say('access:desk.done', { count: students }), { action, lasts: UNDO_MILLISECONDS })
      refreshPage()
    })

  const acts = ACTS.filter((act) => act !== 'addToGroup' || groups.length > 0)
  return (
    <section aria-label={say('access:desk.title')} className="floating access-desk">
      <p className="access-desk-chosen" role="status">
        <strong>{say('access:desk.students', { count: picked.students.length })}</strong>
        {aboutLessons(chosen.act) && (
          <span className="text-muted">
            {' · '}
            {picked.lessons.length > 0
              ? say('access:desk.lessons', { count: picked.lessons.length })
              : say('access:desk.allLessons')}
          </span>
        )}
      </p>
      <Select
        label={say('access:desk.act')}
        options={acts.map((act) => ({ value: act, label: say(`access:act.${act}`) }))}
        value={chosen.act}
        onChange={(event) => change({ act: ACTS.find((act) => act === event.target.value) ?? 'open' })}
      />
      <Parts chosen={chosen} change={change} groups={groups} say={say} />
      {group && (
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="checkbox checkbox-sm"
            checked={chosen.wholeGroup}
            onChange={(event) => change({ wholeGroup: event.target.checked })}
          />
          {say('access:desk.wholeGroup', { name: group.name })}
        </label>
      )}
      <div className="access-desk-end">
        <Button tone="quiet" onClick={onClear}>
          {say('access:desk.clear')}
        </Button>
        <Button tone="primary" busy={busy} disabled={asked === null} onClick={look}>
          {say('access:desk.look')}
        </Button>
      </div>
      {preview && (
        <AccessEffects
          preview={preview}
          say={say}
          locale={locale}
          zone={zone}
          busy={busy}
          act={say(`access:act.${chosen.act}`)}
          note={chosen.note}
          onNote={aboutLessons(chosen.act) ? (note) => change({ note }) : null}
          onApply={apply}
          onClose={() => setPreview(null)}
        />
      )}
    </section>
  )
}

interface Parts extends Pick<DeskProps, 'groups'> {
  chosen: Chosen
  change: (part: Partial<Chosen>) => void
  say: ReturnType<typeof speak>
}

/** What an act asks besides. */
function Parts({ chosen, change, groups, say }: Parts) {
  const { act } = chosen
  const moment = (name: 'from' | 'to', label: string, hint: string) => (
    <Field
      type="datetime-local"
      label={label}
      hint={hint}
      value={chosen[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  )
  if (act === 'shift') {
    return (
      <Field
        type="number"
        label={say('access:desk.days')}
        hint={say('access:desk.daysHint')}
        min={-365}
        max={365}
        value={chosen.days}
        onChange={(event) => change({ days: event.target.value })}
      />
    )
  }
  if (act === 'freeze') {
    return (
      <>
        {moment('from', say('access:desk.from'), say('access:desk.fromHint'))}
        {moment('to', say('access:desk.to'), say('access:desk.toHint'))}
      </>
    )
  }
  if (act === 'extend' || act === 'give') return moment('to', say('access:desk.until'), say('access:desk.untilHint'))
  if (act !== 'addToGroup') return null
  return (
    <Select
      label={say('access:desk.group')}
      placeholder={say('access:desk.groupNone')}
      options={groups.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen.groupId}
      onChange={(event) => change({ groupId: event.target.value })}
    />
  )
}
