import { DateField } from '#islands/field/DateField.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { Select } from '#islands/ui/Select.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AccessRule } from '#lib/course/schema.ts'
import { RuleGroup } from './RuleGroup.tsx'
import { changeMode, parseFieldValue, RULE_MODES, type RuleMode, toFieldValue } from './rule-shape.ts'
import { formatRuleZone } from './rule-text.ts'

interface Props {
  value: AccessRule
  onChange: (rule: AccessRule) => void
  /** Default time zone of dates; a rule may have its own zone. */
  zone: string
  /** Translates `outline:rule.`. */
  t: Translate
  locale: Locale
  label?: string
  /** Allowed modes, e.g. for a due date. */
  modes?: readonly RuleMode[]
  /** Nesting level of groups. */
  depth?: number
}

/**
 * Edits when something opens: at once, on a date, after the start, after previous content, manually, or several of
 * these.
 */
export function RuleEditor({ value, onChange, zone, t, locale, label, modes = RULE_MODES, depth = 0 }: Props) {
  const options = modes
    .filter((mode) => depth < 2 || (mode !== 'all' && mode !== 'any'))
    .map((mode) => ({ value: mode, label: t(`outline:rule.mode.${mode}`) }))
  return (
    <div className="grid gap-4">
      <Select
        label={label ?? t('outline:rule.label')}
        options={options}
        value={value.mode}
        onChange={(event) => {
          const mode = modes.find((mode) => mode === event.target.value)
          if (mode) onChange(changeMode(value, mode, zone))
        }}
      />
      <Details value={value} onChange={onChange} zone={zone} t={t} locale={locale} modes={modes} depth={depth} />
    </div>
  )
}

type Details = Required<Pick<Props, 'value' | 'onChange' | 'zone' | 't' | 'locale' | 'modes' | 'depth'>>

function Details({ value, ...rest }: Details) {
  switch (value.mode) {
    case 'open':
      return null
    case 'manual':
      return <p className="field-hint">{rest.t('outline:rule.manualHint')}</p>
    case 'date':
      return <DateFields value={value} {...rest} />
    case 'afterStart':
      return <AfterStartFields value={value} {...rest} />
    case 'afterPrevious':
      return <AfterPreviousFields value={value} {...rest} />
    case 'all':
    case 'any':
      return (
        <RuleGroup value={value} onChange={rest.onChange} zone={rest.zone} t={rest.t}>
          {(rule, change, name) => (
            <RuleEditor {...rest} value={rule} onChange={change} label={name} depth={rest.depth + 1} />
          )}
        </RuleGroup>
      )
  }
}

type DetailsOf<Mode extends RuleMode> = Omit<Details, 'value'> & { value: Extract<AccessRule, { mode: Mode }> }

// Fields keep incomplete input; the rule keeps its last valid value.
function DateFields({ value, onChange, zone, t, locale }: DetailsOf<'date'>) {
  return (
    <DateField
      key={zone}
      kind="datetime"
      label={t('outline:rule.at')}
      locale={locale}
      zone={zone}
      hint={formatRuleZone(zone, t)}
      value={toFieldValue(value.at, zone)}
      required
      onChange={(typed) => {
        const at = parseFieldValue(typed, zone)
        if (at) onChange({ mode: 'date', at })
      }}
    />
  )
}

function AfterStartFields({ value, onChange, t, locale }: DetailsOf<'afterStart'>) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field
        type="number"
        inputMode="numeric"
        min={0}
        max={3650}
        label={t('outline:rule.days')}
        hint={t('outline:rule.daysHint')}
        defaultValue={value.days}
        onChange={({ target }) => {
          const days = target.valueAsNumber
          if (Number.isInteger(days) && days >= 0 && days <= 3650) onChange({ ...value, days })
        }}
      />
      <DateField
        kind="time"
        label={t('outline:rule.time')}
        locale={locale}
        hint={formatRuleZone(value.zone, t)}
        value={value.time}
        onChange={(time) => time && onChange({ ...value, time })}
      />
    </div>
  )
}

const PREVIOUS_KINDS = ['lesson', 'module'] as const
const REQUIREMENTS = ['opened', 'completed', 'homeworkAccepted', 'testPassed'] as const

function AfterPreviousFields({ value, onChange, t }: DetailsOf<'afterPrevious'>) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Select
        label={t('outline:rule.of')}
        options={PREVIOUS_KINDS.map((kind) => ({ value: kind, label: t(`outline:rule.previous.${kind}`) }))}
        value={value.of}
        onChange={({ target }) =>
          onChange({ ...value, of: PREVIOUS_KINDS.find((kind) => kind === target.value) ?? 'lesson' })
        }
      />
      <Select
        label={t('outline:rule.require')}
        options={REQUIREMENTS.map((requirement) => ({
          value: requirement,
          label: t(`outline:rule.required.${requirement}`),
        }))}
        value={value.require}
        onChange={({ target }) =>
          onChange({
            ...value,
            require: REQUIREMENTS.find((requirement) => requirement === target.value) ?? 'completed',
          })
        }
      />
      <Field
        type="number"
        inputMode="numeric"
        min={0}
        max={8760}
        label={t('outline:rule.delay')}
        hint={t('outline:rule.delayHint')}
        defaultValue={value.delayHours ?? 0}
        onChange={({ target }) => {
          const hours = target.valueAsNumber
          const { delayHours: _, ...rule } = value
          if (!Number.isInteger(hours) || hours < 0 || hours > 8760) return
          onChange(hours === 0 ? rule : { ...rule, delayHours: hours })
        }}
      />
    </div>
  )
}
