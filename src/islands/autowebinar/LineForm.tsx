import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { type LineWords, NAMED, withWords, wordsOf } from '#lib/autowebinar/line-rules.ts'
import { LineContent } from '#lib/autowebinar/schema.ts'
import { MODES, ROOM_ROLES } from '#lib/core/shared/event/live-event.ts'
import { PERSON_NAME_LIMIT } from '#lib/core/shared/text/person-name.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { clockOf, readClock } from './script.ts'

interface Props {
  content: LineContent
  offsetMs: number
  say: Say
  onSave: (content: LineContent, offsetMs: number) => void
  onCancel?: () => void
}

/** The words of one line. It is saved when they are left, or with Enter; a new one with its button. */
export function LineForm({ content, offsetMs, say, onSave, onCancel }: Props) {
  const [words, setWords] = useState<LineWords>(() => wordsOf(content))
  const [time, setTime] = useState(clockOf(offsetMs))
  const [wrong, setWrong] = useState<'time' | 'words' | null>(null)
  const form = useRef<HTMLFormElement>(null)
  // On a phone it stands under the whole list.
  useEffect(() => {
    if (onCancel) form.current?.scrollIntoView({ block: 'nearest' })
  }, [onCancel])
  const type = (change: Partial<LineWords>) => setWords({ ...words, ...change })
  const save = () => {
    const at = readClock(time)
    if (at === null) return setWrong('time')
    const { type: kind, payload } = withWords(content, words)
    const checked = LineContent.safeParse({ type: kind, payload })
    if (!checked.success) return setWrong('words')
    setWrong(null)
    const next = { type: kind, payload } as LineContent
    const same = JSON.stringify(words) === JSON.stringify(wordsOf(content)) && at === offsetMs
    if (onCancel || !same) onSave(next, at)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <form
      ref={form}
      className="card-line grid gap-3 p-4"
      aria-label={say(`autowebinar:type.${NAMED[content.type]}`)}
      onSubmit={submit}
      onBlur={() => !onCancel && save()}
    >
      <h2 className="font-semibold">{say(`autowebinar:type.${NAMED[content.type]}`)}</h2>
      <Field
        label={say('autowebinar:form.time')}
        value={time}
        className="w-36"
        error={wrong === 'time' ? say('autowebinar:form.badTime') : undefined}
        onChange={(event) => setTime(event.target.value)}
      />
      <Parts content={content} words={words} type={type} say={say} />
      {wrong === 'words' && (
        <p role="alert" className="field-error">
          {say('autowebinar:form.incomplete')}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" tone="primary" small>
          {say(onCancel ? 'autowebinar:form.add' : 'autowebinar:form.save')}
        </Button>
        {onCancel && (
          <Button small onClick={onCancel}>
            {say('shell:button.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}

interface PartProps {
  content: LineContent
  words: LineWords
  type: (change: Partial<LineWords>) => void
  say: Say
}

function Parts({ content, words, type, say }: PartProps) {
  switch (content.type) {
    case 'message':
    case 'question':
    case 'answer':
      return (
        <>
          <Field
            label={say('autowebinar:form.name')}
            value={words.name}
            maxLength={PERSON_NAME_LIMIT}
            onChange={(event) => type({ name: event.target.value })}
          />
          <Select
            label={say('autowebinar:form.role')}
            value={words.role}
            options={ROOM_ROLES.map((value) => ({ value, label: say(`autowebinar:role.${value}`) }))}
            onChange={(event) => type({ role: ROOM_ROLES.find((one) => one === event.target.value) ?? 'viewer' })}
          />
          <TextArea
            label={say('autowebinar:form.text')}
            value={words.text}
            maxLength={2000}
            rows={3}
            onChange={(event) => type({ text: event.target.value })}
          />
        </>
      )
    case 'button.show':
    case 'handout.show':
      return (
        <>
          <Field
            label={say('autowebinar:form.label')}
            value={words.text}
            maxLength={80}
            onChange={(event) => type({ text: event.target.value })}
          />
          <Field
            label={say('autowebinar:form.link')}
            type="url"
            value={words.link}
            onChange={(event) => type({ link: event.target.value })}
          />
        </>
      )
    case 'poll.open':
      return (
        <>
          <Field
            label={say('autowebinar:form.question')}
            value={words.text}
            maxLength={300}
            onChange={(event) => type({ text: event.target.value })}
          />
          <TextArea
            label={say('autowebinar:form.options')}
            hint={say('autowebinar:form.optionsHint')}
            value={words.options}
            rows={4}
            onChange={(event) => type({ options: event.target.value })}
          />
        </>
      )
    case 'slide.change':
      return (
        <Field
          label={say('autowebinar:form.page')}
          type="number"
          min={1}
          max={2000}
          value={words.page}
          onChange={(event) => type({ page: Math.max(1, Math.round(Number(event.target.value)) || 1) })}
        />
      )
    case 'presentation.change':
      return (
        <Select
          label={say('autowebinar:form.mode')}
          value={words.mode}
          options={MODES.map((value) => ({ value, label: say(`autowebinar:mode.${value}`) }))}
          onChange={(event) => type({ mode: MODES.find((one) => one === event.target.value) ?? 'broadcast' })}
        />
      )
    default:
      return <p className="text-muted text-sm">{say('autowebinar:form.nothing')}</p>
  }
}
