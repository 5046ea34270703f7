import { type FormEvent, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { Crumb } from './browser/listing-query.ts'
import { MoveWindow } from './MoveDialog.tsx'
import { linkOf } from './use-link.ts'
import type { Question, Storage } from './use-storage.ts'

interface Props {
  storage: Storage
  question: Question
  path: readonly Crumb[]
}

/** The questions of the storage, each in its window. */
export default function Windows({ storage, question, path }: Props) {
  switch (question.kind) {
    case 'folder':
      return <FolderWindow storage={storage} />
    case 'move':
      return <MoveWindow storage={storage} ids={question.ids} path={path} />
    case 'used':
      return <UsedWindow storage={storage} outcomes={question.outcomes} />
    case 'purge':
    case 'empty':
      return <PurgeWindow storage={storage} ids={question.kind === 'purge' ? question.ids : null} />
  }
}

function FolderWindow({ storage }: { storage: Storage }) {
  const { words, setQuestion, listing, here } = storage
  const { t } = words
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '')
    setBusy(true)
    try {
      await api.storage.createFolder({ parentId: here, name })
      await listing.reload()
      setQuestion(null)
    } catch (caught) {
      if (!(caught instanceof CallError)) throw caught
      setError(caught.fields.name?.[0] ?? caught.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('storage:page.newFolder')}
      open
      onOpenChange={() => setQuestion(null)}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" type="submit" form="storage-folder" busy={busy}>
            {t('storage:page.create')}
          </Button>
        </>
      )}
    >
      <form id="storage-folder" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('storage:page.folderName')}
          name="name"
          maxLength={200}
          required
          error={error}
          autoComplete="off"
        />
      </form>
    </Dialog>
  )
}

function UsedWindow({
  storage,
  outcomes,
}: {
  storage: Storage
  outcomes: Extract<Question, { kind: 'used' }>['outcomes']
}) {
  const { words, setQuestion, remove } = storage
  const { t } = words
  const close = () => setQuestion(null)
  const uses = new Map(outcomes.flatMap((one) => one.uses.map((use) => [use.id, use])))
  return (
    <Dialog
      title={t('storage:list.inUseTitle', { count: outcomes.length })}
      text={t('storage:list.inUseText')}
      open
      onOpenChange={close}
      closeLabel={t('storage:list.keep')}
      actions={(keep) => (
        <>
          {keep}
          <Button
            tone="danger"
            onClick={() => {
              close()
              void remove(
                outcomes.map(({ fileId }) => fileId),
                true,
              )
            }}
          >
            {t('storage:list.deleteAnyway')}
          </Button>
        </>
      )}
    >
      <ul className="grid gap-1 text-sm">
        {[...uses.values()].map((use) => (
          <li key={use.id}>
            <span className="text-muted">{`${t(`storage:details.user.${use.kind}`)}: `}</span>
            {linkOf(use) ? (
              <a href={linkOf(use) ?? ''} className="still-link">
                {use.title}
              </a>
            ) : (
              use.title
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function PurgeWindow({ storage, ids }: { storage: Storage; ids: string[] | null }) {
  const { words, setQuestion, acts } = storage
  const { t } = words
  const close = () => setQuestion(null)
  return (
    <Dialog
      title={ids ? t('storage:trash.purgeTitle', { count: ids.length }) : t('storage:trash.emptyTitle')}
      text={t('storage:trash.purgeText')}
      open
      onOpenChange={close}
      closeLabel={t('shell:button.cancel')}
      actions={(keep) => (
        <>
          {keep}
          <Button
            tone="danger"
            onClick={() => {
              close()
              void (ids ? acts.purge(ids) : acts.emptyTrash())
            }}
          >
            {t(ids ? 'storage:trash.purge' : 'storage:trash.empty')}
          </Button>
        </>
      )}
    />
  )
}
