import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { applyEntryForm, type EntryForm, TYPE_KEYS, toEntryForm } from '#lib/autowebinar/entry-rules.ts'
import { EntryContent } from '#lib/autowebinar/schema.ts'
import { EVENT_ROLES, PRESENTATION_MODES } from '#lib/core/shared/event/live-event.ts'
import { PERSON_NAME_LIMIT } from '#lib/core/shared/text/person-name.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { formatTimecode, parseTimecode } from './script.ts'

interface Props {
  content: EntryContent
  offsetMs: number
  t: Translate
  onSave: (content: EntryContent, offsetMs: number) => void
  onCancel?: () => void
}

/** Form of a script entry. An existing entry is saved on blur and on Enter, a new one with the button. */
export function ScriptEntryForm({ content, offsetMs, t, onSave, onCancel }: Props) {
  const [texts, setTexts] = useState<EntryForm>(() => toEntryForm(content))
  const [time, setTime] = useState(formatTimecode(offsetMs))
  const [invalidPart, setInvalidPart] = useState<'time' | 'texts' | null>(null)
  const form = useRef<HTMLFormElement>(null)
  // On a phone the form is below the list.
  useEffect(() => {
    if (onCancel) form.current?.scrollIntoView({ block: 'nearest' })
  }, [onCancel])
  const changeText = (change: Partial<EntryForm>) => setTexts({ ...texts, ...change })
  const save = () => {
    const nextOffsetMs = parseTimecode(time)
    if (nextOffsetMs === null) return setInvalidPart('time')
    const { type: kind, payload } = applyEntryForm(content, texts)
    const checked = EntryContent.safeParse({ type: kind, payload })
    if (!checked.success) return setInvalidPart('texts')
    setInvalidPart(null)
    const nextContent = { type: kind, payload } as EntryContent
    const isUnchanged = JSON.stringify(texts) === JSON.stringify(toEntryForm(content)) && nextOffsetMs === offsetMs
    if (onCancel || !isUnchanged) onSave(nextContent, nextOffsetMs)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <form
      ref={form}
      className="card-line grid gap-3 p-4"
      aria-label={t(`autowebinar:type.${TYPE_KEYS[content.type]}`)}
      onSubmit={submit}
      onBlur={() => !onCancel && save()}
    >
      <h2 className="font-semibold">{t(`autowebinar:type.${TYPE_KEYS[content.type]}`)}</h2>
      <Field
        label={t('autowebinar:form.time')}
        value={time}
        className="w-36"
        error={invalidPart === 'time' ? t('autowebinar:form.badTime') : undefined}
        onChange={(event) => setTime(event.target.value)}
      />
      <EntryFields content={content} texts={texts} changeText={changeText} t={t} />
      {invalidPart === 'texts' && (
        <p role="alert" className="field-error">
          {t('autowebinar:form.incomplete')}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" tone="primary" small>
          {t(onCancel ? 'autowebinar:form.add' : 'autowebinar:form.save')}
        </Button>
        {onCancel && (
          <Button small onClick={onCancel}>
            {t('shell:button.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}

interface EntryFieldsProps {
  content: EntryContent
  texts: EntryForm
  changeText: (change: Partial<EntryForm>) => void
  t: Translate
}

function EntryFields({ content, texts, changeText, t }: EntryFieldsProps) {
  switch (content.type) {
    case 'message':
    case 'question':
    case 'answer':
      return (
        <>
          <Field
            label={t('autowebinar:form.name')}
            value={texts.name}
            maxLength={PERSON_NAME_LIMIT}
            onChange={(event) => changeText({ name: event.target.value })}
          />
          <Select
            label={t('autowebinar:form.role')}
            value={texts.role}
            options={EVENT_ROLES.map((value) => ({ value, label: t(`autowebinar:role.${value}`) }))}
            onChange={(event) =>
              changeText({ role: EVENT_ROLES.find((option) => option === event.target.value) ?? 'viewer' })
            }
          />
          <TextArea
            label={t('autowebinar:form.text')}
            value={texts.text}
            maxLength={2000}
            rows={3}
            onChange={(event) => changeText({ text: event.target.value })}
          />
        </>
      )
    case 'button.show':
    case 'handout.show':
      return (
        <>
          <Field
            label={t('autowebinar:form.label')}
            value={texts.text}
            maxLength={80}
            onChange={(event) => changeText({ text: event.target.value })}
          />
          <Field
            label={t('autowebinar:form.link')}
            type="url"
            value={texts.link}
            onChange={(event) => changeText({ link: event.target.value })}
          />
        </>
      )
    case 'poll.open':
      return (
        <>
          <Field
            label={t('autowebinar:form.question')}
            value={texts.text}
            maxLength={300}
            onChange={(event) => changeText({ text: event.target.value })}
          />
          <TextArea
            label={t('autowebinar:form.options')}
            hint={t('autowebinar:form.optionsHint')}
            value={texts.options}
            rows={4}
            onChange={(event) => changeText({ options: event.target.value })}
          />
        </>
      )
    case 'slide.change':
      return (
        <Field
          label={t('autowebinar:form.page')}
          type="number"
          min={1}
          max={2000}
          value={texts.page}
          onChange={(event) => changeText({ page: Math.max(1, Math.round(Number(event.target.value)) || 1) })}
        />
      )
    case 'presentation.change':
      return (
        <Select
          label={t('autowebinar:form.mode')}
          value={texts.mode}
          options={PRESENTATION_MODES.map((value) => ({ value, label: t(`autowebinar:mode.${value}`) }))}
          onChange={(event) =>
            changeText({ mode: PRESENTATION_MODES.find((option) => option === event.target.value) ?? 'broadcast' })
          }
        />
      )
    default:
      return <p className="text-muted text-sm">{t('autowebinar:form.nothing')}</p>
  }
}
