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
  const { say } = words
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
      title={say('storage:page.newFolder')}
      open
      onOpenChange={() => setQuestion(null)}
      closeLabel={say('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" type="submit" form="storage-folder" busy={busy}>
            {say('storage:page.create')}
          </Button>
        </>
      )}
    >
      <form id="storage-folder" onSubmit={(event) => void submit(event)}>
        <Field
          label={say('storage:page.folderName')}
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
  const { say } = words
  const close = () => setQuestion(null)
  const uses = new Map(outcomes.flatMap((one) => one.uses.map((use) => [use.id, use])))
  return (
    <Dialog
      title={say('storage:list.inUseTitle', { count: outcomes.length })}
      text={say('storage:list.inUseText')}
      open
      onOpenChange={close}
      closeLabel={say('storage:list.keep')}
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
            {say('storage:list.deleteAnyway')}
          </Button>
        </>
      )}
    >
      <ul className="grid gap-1 text-sm">
        {[...uses.values()].map((use) => (
          <li key={use.id}>
            <span className="text-muted">{`${say(`storage:details.user.${use.kind}`)}: `}</span>
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
  const { say } = words
  const close = () => setQuestion(null)
  return (
    <Dialog
      title={ids ? say('storage:trash.purgeTitle', { count: ids.length }) : say('storage:trash.emptyTitle')}
      text={say('storage:trash.purgeText')}
      open
      onOpenChange={close}
      closeLabel={say('shell:button.cancel')}
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
            {say(ids ? 'storage:trash.purge' : 'storage:trash.empty')}
          </Button>
        </>
      )}
    />
  )
}
