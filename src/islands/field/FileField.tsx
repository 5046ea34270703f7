import { type HTMLAttributes, type ReactNode, type Ref, useEffect, useId } from 'react'
import { FieldFrame, fieldAttributes } from '#islands/ui/Field.tsx'
import './field.css'

interface FileFieldTag extends HTMLAttributes<HTMLElement> {
  class?: string
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'file-field': FileFieldTag
    }
  }
}

interface Props {
  label: string
  /** Accepted types and the size limit, shown before a file is chosen. */
  hint: ReactNode
  name?: string | undefined
  id?: string | undefined
  /** As in the attribute: MIME types and extensions. */
  accept?: string | undefined
  maxBytes?: number | undefined
  error?: string | undefined
  disabled?: boolean
  /** Further actions and states, such as the progress of an upload. */
  children?: ReactNode
  inputRef?: Ref<HTMLInputElement>
  /** The chosen file; null when it is removed. */
  onChange?: (file: File | null) => void
}

/**
 * The field for a file, in Astro pages (layouts/ui/FileField.astro) and islands. Without JavaScript it is the browser's
 * file field.
 */
export function FileField({ label, hint, name, accept, maxBytes, error, disabled, children, ...rest }: Props) {
  const own = useId()
  const { id = name ? `field-${name}` : own, inputRef, onChange } = rest
  useEffect(() => {
    void import('./file-field-element.ts')
  }, [])
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <file-field class="file-field" data-max={maxBytes} data-label={label}>
        <input
          {...fieldAttributes({ id, hint, error })}
          ref={inputRef}
          type="file"
          name={name}
          accept={accept}
          disabled={disabled}
          className="file-input w-full"
          onChange={onChange && (({ target }) => onChange(target.files?.[0] ?? null))}
        />
      </file-field>
      {children}
    </FieldFrame>
  )
}
