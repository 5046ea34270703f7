import { type InputHTMLAttributes, type ReactNode, useId } from 'react'

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  /** The label; in pages it is the content. */
  label?: ReactNode
  hint?: string
  error?: string | undefined
}

export function Checkbox({ label, children, hint, error, id, className, ...input }: Props) {
  const own = useId()
  const key = id ?? own
  const words = error ?? hint
  return (
    <div className={['field', className].filter(Boolean).join(' ')}>
      <label htmlFor={key} className="flex min-h-6 items-start gap-3 text-sm">
        <input
          {...input}
          id={key}
          type="checkbox"
          className="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={words ? `${key}-words` : undefined}
        />
        <span className="pt-0.5">{label ?? children}</span>
      </label>
      {words && (
        <p id={`${key}-words`} className={error ? 'field-error' : 'field-hint'}>
          {words}
        </p>
      )}
    </div>
  )
}
