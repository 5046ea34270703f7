import { type InputHTMLAttributes, useId } from 'react'
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
  hint?: string | undefined
  rules?: readonly PasswordRule[]
}

/**
 * A password with the rules that it must satisfy. Pages render it without hydration; `islands/shell/password-fields.ts`
 * reveals the password and checks the rules while it is typed.
 */
export function PasswordField({ label, showLabel, hideLabel, error, hint, rules = [], id, ...input }: Props) {
  const own = useId()
  const frame = { id: id ?? own, label, hint, error }
  const described = fieldAttributes(frame)
  const by = [described['aria-describedby'], rules.length > 0 && `${frame.id}-rules`].filter(Boolean).join(' ')
  const reveal = (
    <button
      type="button"
      // Keeps its place until the script shows it, so that the form does not move.
      className="invisible still-link min-h-6 cursor-pointer text-sm"
      data-reveal=""
      data-show={showLabel}
      data-hide={hideLabel}
      aria-controls={frame.id}
      aria-pressed={false}
    >
      {showLabel}
    </button>
  )
  return (
    <div className="field" data-password="">
      <FieldFrame {...frame} aside={reveal}>
        <input {...input} {...described} aria-describedby={by || undefined} type="password" className="input w-full" />
      </FieldFrame>
      {rules.length > 0 && (
        <ul id={`${frame.id}-rules`} className="rules">
          {rules.map(({ label: text, pattern }) => (
            <li key={pattern} data-pattern={pattern}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
