import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'

interface Frame {
  label: string
  hint?: ReactNode
  /** The error message; it replaces the hint. */
  error?: string | undefined
  /** Shown at the end of the label's line, e.g. the state of a draft. */
  aside?: ReactNode
}

type InputProps = Frame & InputHTMLAttributes<HTMLInputElement>
type AreaProps = Frame & TextareaHTMLAttributes<HTMLTextAreaElement>

/** Label above, hint below, error in place of the hint. */
export function Field({ label, hint, error, aside, className, id, ...input }: InputProps) {
  const own = useId()
  const frame = { id: id ?? own, label, hint, error, aside, className }
  return (
    <FieldFrame {...frame}>
      <input {...input} {...fieldAttributes(frame)} className="input w-full" />
    </FieldFrame>
  )
}

/** A field for longer text. */
export function TextArea({ label, hint, error, aside, className, id, ...area }: AreaProps) {
  const own = useId()
  const frame = { id: id ?? own, label, hint, error, aside, className }
  return (
    <FieldFrame {...frame}>
      <textarea rows={4} {...area} {...fieldAttributes(frame)} className="textarea w-full" />
    </FieldFrame>
  )
}

interface FieldFrameProps extends Frame {
  id: string
  className?: string | undefined
  children: ReactNode
}

/** Label, hint and error for other controls. */
export function FieldFrame({ id, label, hint, error, aside, className, children }: FieldFrameProps) {
  return (
    <div className={['field', className].filter(Boolean).join(' ')}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="field-label">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {error ? (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="field-hint">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** The attributes that connect a control with its hint or error. */
export function fieldAttributes({ id, hint, error }: { id: string; hint?: ReactNode; error?: string | undefined }) {
  const by = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': by } as const
}
