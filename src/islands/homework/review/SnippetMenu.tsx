import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { showNotice, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { fillVariables } from '#lib/core/shared/text/variables.ts'
import { withErrorNotice } from '../error-notice.ts'
import { toPlainText } from './plain-text.ts'
import { currentAttempt, type ReviewedSubmission, type ReviewI18n } from './reviewed-submission.ts'
import { appendText } from './snippet-text.ts'

interface Props {
  submission: ReviewedSubmission
  i18n: ReviewI18n
  editable: boolean
  feedback: LessonDoc | null
  onTake: (feedback: LessonDoc) => void
}

interface Snippet {
  id: string
  title: string
  body: string
  shared: boolean
  isEditable: boolean
}

type OpenDialog = { kind: 'list'; snippets: Snippet[] } | { kind: 'form'; snippet: Partial<Snippet> } | null

/** Snippets of the reviewer: inserted with variables filled in, created and edited. */
export function SnippetMenu({ submission, i18n, editable, feedback, onTake }: Props) {
  const { t } = i18n
  const [open, setOpen] = useState<OpenDialog>(null)
  const list = () =>
    withErrorNotice(async () => setOpen({ kind: 'list', snippets: await api.homework.listSnippets(undefined, QUIET) }))
  const take = (snippet: Snippet) => {
    const attempt = currentAttempt(submission)?.attempt ?? 1
    const { student, lesson, course, task } = submission
    const [name = ''] = student.name.split(' ')
    const text = fillVariables(snippet.body, {
      name,
      lesson: lesson.title,
      course: course.title,
      task: task.title,
      attempt: String(attempt),
    })
    onTake(appendText(feedback, text))
    setOpen(null)
  }
  const remove = (snippet: Snippet) =>
    withErrorNotice(async () => {
      await api.homework.deleteSnippet({ snippetId: snippet.id })
      await list()
      showNotice('info', t('homework:snippet.deleted'), {
        action: {
          label: t('shell:button.undo'),
          run: () => void withErrorNotice(() => api.homework.restoreSnippet({ snippetId: snippet.id }).then(list)),
        },
        durationMs: UNDO_NOTICE_MS,
      })
    })
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button small disabled={!editable} data-key="s" aria-keyshortcuts="S" onClick={list}>
          {t('homework:snippet.open')}
        </Button>
        {editable && toPlainText(feedback).trim() !== '' && (
          <Button
            small
            tone="quiet"
            onClick={() => setOpen({ kind: 'form', snippet: { body: toPlainText(feedback) } })}
          >
            {t('homework:snippet.keep')}
          </Button>
        )}
      </div>
      {open?.kind === 'list' && (
        <Dialog
          open
          onOpenChange={() => setOpen(null)}
          title={t('homework:snippet.title')}
          text={t('homework:snippet.hint')}
          closeLabel={t('shell:button.cancel')}
          actions={(close) => (
            <>
              {close}
              <Button onClick={() => setOpen({ kind: 'form', snippet: {} })}>{t('homework:snippet.new')}</Button>
            </>
          )}
        >
          {open.snippets.length === 0 && <p className="text-muted text-sm">{t('homework:snippet.none')}</p>}
          <ul className="grid gap-1">
            {open.snippets.map((snippet) => (
              <li key={snippet.id} className="flex items-start gap-1">
                <button type="button" className="option flex-col items-start! gap-0!" onClick={() => take(snippet)}>
                  <span className="font-medium">{snippet.title}</span>
                  <span className="line-clamp-2 text-muted">{snippet.body}</span>
                </button>
                {snippet.isEditable && (
                  <>
                    <Button small tone="quiet" onClick={() => setOpen({ kind: 'form', snippet })}>
                      {t('homework:snippet.change')}
                    </Button>
                    <Button small tone="quiet" onClick={() => void remove(snippet)}>
                      {t('shell:button.delete')}
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
      {open?.kind === 'form' && (
        <SnippetForm snippet={open.snippet} i18n={i18n} onDone={list} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

interface FormProps {
  snippet: Partial<Snippet>
  i18n: ReviewI18n
  onDone: () => Promise<void>
  onClose: () => void
}

function SnippetForm({ snippet, i18n: { t }, onDone, onClose }: FormProps) {
  const [title, setTitle] = useState(snippet.title ?? '')
  const [body, setBody] = useState(snippet.body ?? '')
  const [shared, setShared] = useState(snippet.shared ?? false)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const save = async () => {
    try {
      const known = snippet.id ? { snippetId: snippet.id } : {}
      await api.homework.saveSnippet({ ...known, title, body, shared })
      await onDone()
    } catch (error) {
      setErrors(CallError.from(error).fields)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t(snippet.id ? 'homework:snippet.change' : 'homework:snippet.new')}
      text={t('homework:snippet.variables')}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" onClick={() => void save()}>
            {t('shell:button.save')}
          </Button>
        </>
      )}
    >
      <div className="grid gap-4">
        <Field
          label={t('homework:snippet.name')}
          value={title}
          maxLength={80}
          error={errors.title?.[0]}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <TextArea
          label={t('homework:snippet.body')}
          value={body}
          maxLength={4000}
          rows={5}
          error={errors.body?.[0]}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        <Checkbox
          label={t('homework:snippet.shared')}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      </div>
    </Dialog>
  )
}

const QUIET = { context: { isQuiet: true } }
