import { X } from 'lucide-react'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { MessageFile } from './use-message-files.ts'

interface Props {
  items: readonly MessageFile[]
  refused: readonly string[]
  onRemove(key: string): void
  locale: Locale
  t: Translate
}

/** The files of the next message, above its text. */
export function AddedFiles({ items, refused, onRemove, locale, t }: Props) {
  return (
    <>
      {items.length > 0 && (
        <ul className="chat-added-files" aria-label={t('chat:files.label')}>
          {items.map(({ key, name, state, progress, error }) => (
            <li key={key} data-state={state}>
              <span className="min-w-0 flex-1">
                <span className="block truncate">{name}</span>
                <span className={`block text-sm ${state === 'failed' ? 'text-error' : 'text-muted'}`}>
                  {state === 'uploading'
                    ? t('chat:files.uploading', { percent: formatPercent(progress, locale) })
                    : (state === 'failed' && error) || t(`chat:files.${state}`)}
                </span>
              </span>
              <IconButton icon={X} label={t('chat:files.remove', { name })} onClick={() => onRemove(key)} />
            </li>
          ))}
        </ul>
      )}
      {refused.map((message) => (
        <p key={message} role="alert" className="field-error">
          {message}
        </p>
      ))}
    </>
  )
}
