import { FileText } from 'lucide-react'
import { formatBytes, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { ConversationMessage } from './chat-props.ts'

interface Props {
  message: ConversationMessage
  locale: Locale
  t: Translate
}

/** The address that opens a file: it leads to a signed URL for a reader of the conversation. */
const fileHref = (id: string, more = ''): string => `/chat?file=${id}${more}`

/** The pictures, recordings and other files of a message. */
export function MessageFiles({ message, locale, t }: Props) {
  const { files, attachment } = message
  const audioName = (name: string) => (attachment === 'voice' ? t('chat:files.voice') : name)
  return (
    <ul className="chat-files">
      {files.map((file) => (
        <li key={file.id}>
          {file.kind === 'image' ? (
            <a href={fileHref(file.id)} target="_blank" rel="noopener" data-astro-reload>
              <img
                src={fileHref(file.id)}
                alt={t('chat:files.picture', { name: file.name })}
                loading="lazy"
                {...(file.width && file.height ? { width: file.width, height: file.height } : {})}
              />
            </a>
          ) : file.kind === 'audio' ? (
            <figure>
              <figcaption className="text-muted text-sm">{audioName(file.name)}</figcaption>
              <audio controls preload="none" src={fileHref(file.id)} aria-label={audioName(file.name)}>
                <track kind="captions" />
              </audio>
            </figure>
          ) : (
            <a href={fileHref(file.id, '&download=1')} className="chat-file" download data-astro-reload>
              <FileText size={20} strokeWidth={1.75} aria-hidden="true" />
              <span className="min-w-0 truncate">{file.name}</span>
              <span className="whitespace-nowrap text-muted text-sm">{formatBytes(file.size, locale)}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
