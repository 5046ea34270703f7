import { Check, CircleAlert, Upload as UploadIcon, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { formatBytes, formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { FileItemState } from './file-item.ts'
import type { SubmissionProps } from './submission-props.ts'

interface Props {
  own: SubmissionProps
  items: readonly FileItemState[]
  refused: readonly string[]
  /** Null before the form is interactive. */
  add: ((files: readonly File[]) => void) | null
  locale: Locale
  t: Translate
  /** Other ways to add a file. */
  children: ReactNode
}

/** The files of an answer: added by choice or drop, removed one by one. */
export function AnswerFiles({ own, items, refused, add, locale, t, children }: Props) {
  const [over, setOver] = useState(false)
  const fieldId = useId()
  const accept = own.acceptTypes.map((type) => (type.startsWith('.') ? type : `${type}/*`))
  // Browsers have no MIME type for some documents: then all files are offered and the server decides.
  const narrowed = own.acceptTypes.includes('doc') ? undefined : accept.join(',')
  return (
    <fieldset
      className="homework-drop grid min-w-0 gap-2"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        add?.([...event.dataTransfer.files])
      }}
    >
      <legend className="field-label mb-1">{t('homework:form.files')}</legend>
      <p className="field-hint">
        {own.allow} {own.type === 'video' && t('homework:form.needsVideo')}
      </p>
      {items.length > 0 && (
        <ul className="homework-files">
          {items.map((item) => (
            <FileItem key={item.key} item={item} locale={locale} t={t} />
          ))}
        </ul>
      )}
      {refused.map((message) => (
        <p key={message} role="alert" className="field-error">
          {message}
        </p>
      ))}
      {children}
      {add && (
        <p className="flex flex-wrap items-center gap-3">
          <label
            htmlFor={fieldId}
            className="btn btn-sm focus-within:outline-2 focus-within:outline-primary focus-within:outline-offset-2"
          >
            <UploadIcon size={18} strokeWidth={1.75} aria-hidden="true" />
            {t('homework:form.add')}
            <input
              id={fieldId}
              type="file"
              multiple
              accept={narrowed || undefined}
              className="sr-only"
              onChange={({ target }) => {
                add([...(target.files ?? [])])
                target.value = ''
              }}
            />
          </label>
          <span className="hidden text-muted text-sm sm:inline">{t('homework:form.drop')}</span>
        </p>
      )}
    </fieldset>
  )
}

function FileItem({ item, locale, t }: { item: FileItemState; locale: Locale; t: Translate }) {
  const { name, size, step, progress, error, download, remove } = item
  const Icon = step === 'arrived' ? Check : step === 'coming' || step === 'waits' ? UploadIcon : CircleAlert
  const hasProblem = step === 'failed' || step === 'interrupted'
  return (
    <li>
      <Icon
        size={20}
        strokeWidth={1.75}
        aria-hidden="true"
        className={`shrink-0 ${hasProblem ? 'text-error' : 'text-muted'}`}
      />
      <span className="min-w-0 flex-1 break-words">
        {download ? (
          <a href={download} download className="still-link" aria-label={t('homework:own.download', { name })}>
            {name}
          </a>
        ) : (
          name
        )}{' '}
        <span className="text-muted text-sm tabular">{formatBytes(size, locale)}</span>
        <span className={`block text-sm ${hasProblem ? 'text-error' : 'text-muted'}`}>
          {step === 'coming'
            ? t('homework:form.coming', { percent: formatPercent(progress, locale) })
            : step === 'failed'
              ? error
                ? t('homework:form.failed', { reason: error })
                : t('homework:form.failedShort')
              : t(`homework:form.${step}`)}
        </span>
        {(step === 'coming' || step === 'waits') && (
          <progress className="progress progress-primary h-1 w-full" aria-label={name} max={1} value={progress} />
        )}
      </span>
      {remove && (
        <Button
          tone="quiet"
          small
          className="btn-square"
          aria-label={t('homework:form.remove', { name })}
          title={t('homework:form.remove', { name })}
          icon={<X size={18} strokeWidth={1.75} />}
          onClick={() => void remove()}
        />
      )}
    </li>
  )
}
