import { type InputHTMLAttributes, useId, useState } from 'react'
import { FieldFrame, fieldAttributes } from './Field.tsx'

interface PasswordRule {
  label: string
  /** Source of a regular expression, used with the flag u. */
  pattern: string
}

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: string
  showLabel: string
  hideLabel: string
  error?: string | undefined
  hint?: string
  rules?: readonly PasswordRule[]
}

/** A password that can be shown; its rules are checked while it is typed. */
export function PasswordField({ label, showLabel, hideLabel, error, hint, rules = [], id, onChange, ...input }: Props) {
  const own = useId()
  const [shown, setShown] = useState(false)
  const [typed, setTyped] = useState(String(input.value ?? input.defaultValue ?? ''))
  const frame = { id: id ?? own, label, hint, error }
  const described = fieldAttributes(frame)
  const by = [described['aria-describedby'], rules.length > 0 && `${frame.id}-rules`].filter(Boolean).join(' ')
  const reveal = (
    <button
      type="button"
      className="still-link min-h-6 cursor-pointer text-sm"
      aria-controls={frame.id}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
    >
      {shown ? hideLabel : showLabel}
    </button>
  )
  return (
    <FieldFrame {...frame} aside={reveal}>
      <input
        {...input}
        {...described}
        aria-describedby={by || undefined}
        type={shown ? 'text' : 'password'}
        className="input w-full"
        onChange={(event) => {
          setTyped(event.target.value)
          onChange?.(event)
        }}
      />
      {rules.length > 0 && (
        <ul id={`${frame.id}-rules`} className="rules">
          {rules.map((rule) => (
            <li key={rule.pattern} data-kept={new RegExp(rule.pattern, 'u').test(typed)}>
              {rule.label}
            </li>
          ))}
        </ul>
      )}
    </FieldFrame>
  )
}
