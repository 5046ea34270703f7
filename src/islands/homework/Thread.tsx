import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import { Button } from '#islands/ui/Button.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { MESSAGE_LIMIT } from '#lib/homework/submission/schema.ts'
import { draftKey, readDraft, saveDraft } from './message-draft.ts'

export type Message = Awaited<ReturnType<typeof api.homework.listMessages>>[number]

export interface ThreadProps {
  taskId: string
  /** The student of the thread; not given on the student's own page. */
  studentId?: string
  /** The reader's membership: drafts are stored per member. */
  owner: string
  /** Messages that the page has loaded; without them they are fetched. */
  messages?: Message[]
  timeZone: string
  locale: Locale
  /** Translates `homework:talk.`. */
  t: Translate
}

const quiet = { context: { isQuiet: true } }

/** The messages about a task, separate from the answers. */
export function Thread({ taskId, studentId, owner, messages: known, timeZone, locale, t }: ThreadProps) {
  const [messages, setMessages] = useState<readonly Message[]>(known ?? [])
  const draftId = draftKey(owner, taskId, studentId)
  const [body, setBody] = useState(() => readDraft(draftId))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const key = useRef(crypto.randomUUID())

  useEffect(() => setBody(readDraft(draftId)), [draftId])
  useEffect(() => {
    const thread = { taskId, ...(studentId ? { studentId } : {}) }
    const loadMessages = () => api.homework.listMessages(thread, quiet).then(setMessages, () => undefined)
    const markRead = () => api.homework.readMessages(thread, quiet).catch(() => undefined)
    if (!known) void loadMessages()
    void markRead()
    return subscribe<{ taskId: string; event: 'message' | 'read' }>(
      `homework:${studentId ?? owner}`,
      (event) => {
        if (event.taskId !== taskId) return
        void loadMessages()
        if (event.event === 'message') void markRead()
      },
      () => void loadMessages(),
    )
  }, [taskId, studentId, owner, known])

  const type = (text: string) => {
    setBody(text)
    saveDraft(draftId, text)
  }
  const send = async () => {
    if (busy || body.trim() === '') return
    setBusy(true)
    setError('')
    try {
      const input = { taskId, ...(studentId ? { studentId } : {}), body, key: key.current }
      const text = await api.homework.sendMessage(input, quiet)
      key.current = crypto.randomUUID()
      type('')
      setMessages((all) => [...all.filter(({ id }) => id !== text.id), text])
    } catch (error) {
      const { status, message } = CallError.from(error)
      setError(status >= 400 && status < 500 && message ? message : t('homework:talk.failed'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="grid gap-4">
      <p className="text-muted text-sm">{t('homework:talk.hint')}</p>
      {messages.length === 0 && <p className="text-muted">{t('homework:talk.none')}</p>}
      <ol className="homework-talk" aria-live="polite">
        {messages.map(({ id, author, isMine: mine, isFromStudent: fromStudent, body: text, at, readAt }) => (
          <li key={id} className={mine ? 'is-mine' : undefined}>
            <p className="text-muted text-sm">
              <strong>{mine ? t('homework:talk.you') : author}</strong>
              {!mine && !fromStudent && ` (${t('homework:talk.school')})`} ·{' '}
              {formatRelativeDateTime(at, timeZone, locale)}
              {mine && readAt && ` · ${t('homework:talk.read')}`}
            </p>
            <p className="homework-words">{text}</p>
          </li>
        ))}
      </ol>
      <form
        className="grid gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <TextArea
          label={t('homework:talk.write')}
          error={error || undefined}
          value={body}
          rows={2}
          maxLength={MESSAGE_LIMIT}
          onChange={({ target }) => type(target.value)}
        />
        <div>
          <Button type="submit" small busy={busy}>
            {t('homework:talk.send')}
          </Button>
        </div>
      </form>
    </div>
  )
}
