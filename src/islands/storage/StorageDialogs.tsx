import { type FormEvent, type ReactNode, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Field } from '#islands/ui/Field.tsx'
import type { ListingCrumb } from './browser/listing-query.ts'
import { MoveFilesDialog } from './MoveFilesDialog.tsx'
import { buildUseUrl } from './use-link.ts'
import type { OpenDialog, Storage } from './use-storage.ts'

interface Props {
  storage: Storage
  question: OpenDialog
  path: readonly ListingCrumb[]
}

/** The dialogs of the storage. */
export default function StorageDialogs({ storage, question, path }: Props) {
  switch (question.kind) {
    case 'folder':
      return <FolderDialog storage={storage} />
    case 'move':
      return <MoveFilesDialog storage={storage} ids={question.ids} path={path} />
    case 'used':
      return <InUseDialog storage={storage} outcomes={question.outcomes} />
    case 'purge':
    case 'empty':
      return <PurgeDialog storage={storage} ids={question.kind === 'purge' ? question.ids : null} />
  }
}

function FolderDialog({ storage }: { storage: Storage }) {
  const { i18n, setQuestion, listing, here } = storage
  const { t } = i18n
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

function InUseDialog({
  storage,
  outcomes,
}: {
  storage: Storage
  outcomes: Extract<OpenDialog, { kind: 'used' }>['outcomes']
}) {
  const { i18n, setQuestion, remove } = storage
  const { t } = i18n
  const uses = new Map(outcomes.flatMap((outcome) => outcome.uses.map((use) => [use.id, use])))
  const fileIds = outcomes.map(({ fileId }) => fileId)
  return (
    <DeleteDialog
      title={t('storage:list.inUseTitle', { count: outcomes.length })}
      text={t('storage:list.inUseText')}
      cancelLabel={t('storage:list.keep')}
      deleteLabel={t('storage:list.deleteAnyway')}
      onDelete={() => void remove(fileIds, true)}
      onClose={() => setQuestion(null)}
    >
      <ul className="grid gap-1 text-sm">
        {[...uses.values()].map((use) => (
          <li key={use.id}>
            <span className="text-muted">{`${t(`storage:details.user.${use.kind}`)}: `}</span>
            {buildUseUrl(use) ? (
              <a href={buildUseUrl(use) ?? ''} className="still-link">
                {use.title}
              </a>
            ) : (
              use.title
            )}
          </li>
        ))}
      </ul>
    </DeleteDialog>
  )
}

function PurgeDialog({ storage, ids }: { storage: Storage; ids: string[] | null }) {
  const { i18n, setQuestion, actions } = storage
  const { t } = i18n
  return (
    <DeleteDialog
      title={ids ? t('storage:trash.purgeTitle', { count: ids.length }) : t('storage:trash.emptyTitle')}
      text={t('storage:trash.purgeText')}
      cancelLabel={t('shell:button.cancel')}
      deleteLabel={t(ids ? 'storage:trash.purge' : 'storage:trash.empty')}
      onDelete={() => void (ids ? actions.purge(ids) : actions.emptyTrash())}
      onClose={() => setQuestion(null)}
    />
  )
}

interface DeleteDialogProps {
  title: string
  text: string
  cancelLabel: string
  deleteLabel: string
  onDelete: () => void
  onClose: () => void
  children?: ReactNode
}

/** Confirmation before something is deleted. */
function DeleteDialog({ title, text, cancelLabel, deleteLabel, onDelete, onClose, children }: DeleteDialogProps) {
  const confirmDeletion = () => {
    onClose()
    onDelete()
  }
  return (
    <Dialog
      title={title}
      text={text}
      open
      onOpenChange={onClose}
      closeLabel={cancelLabel}
      actions={(cancel) => (
        <>
          {cancel}
          <Button tone="danger" onClick={confirmDeletion}>
            {deleteLabel}
          </Button>
        </>
      )}
    >
      {children}
    </Dialog>
  )
}
