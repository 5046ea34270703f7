import { useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { subscribe } from '#islands/stores/live.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { MessageThread, type ThreadMessage } from './MessageThread.tsx'
import { messageDraftKey, readMessageDraft, saveMessageDraft } from './message-draft.ts'

export interface ThreadProps {
  taskId: string
  /** The student of the thread; not given on the student's own page. */
  studentId?: string
  /** The reader's membership: drafts are stored per member. */
  owner: string
  /** Messages that the page has loaded; without them they are fetched. */
  messages?: ThreadMessage[]
  timeZone: string
  locale: Locale
  /** Translates `homework:conversation.`. */
  t: Translate
}

const quiet = { context: { isQuiet: true } }

/** The messages about a task, separate from the answers: sent, drafted and updated without leaving the page. */
export function Thread({ taskId, studentId, owner, messages: known, timeZone, locale, t }: ThreadProps) {
  const [messages, setMessages] = useState<readonly ThreadMessage[]>(known ?? [])
  const draftId = messageDraftKey(owner, taskId, studentId)
  const [body, setBody] = useState(() => readMessageDraft(draftId))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const key = useRef(crypto.randomUUID())

  useEffect(() => setBody(readMessageDraft(draftId)), [draftId])
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
    saveMessageDraft(draftId, text)
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
      setError(status >= 400 && status < 500 && message ? message : t('homework:conversation.failed'))
    } finally {
      setBusy(false)
    }
  }

  return (
    <MessageThread
      taskId={taskId}
      messages={messages}
      field={{ value: body, onChange: ({ target }) => type(target.value) }}
      error={error}
      isBusy={busy}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      timeZone={timeZone}
      locale={locale}
      t={t}
    />
  )
}
