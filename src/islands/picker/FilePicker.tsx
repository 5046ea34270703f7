import './picker.css'
import { useId, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { FileChoice } from './FileChoice.tsx'
import type { PickedFile } from './stored-file.ts'
import { UploadChoice } from './UploadChoice.tsx'
import { type PickKind, useFileList } from './use-file-list.ts'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Called after the dialog is closed. */
  onPick: (file: PickedFile) => void
  /** Accepted kinds; `file` is any file. */
  kinds: readonly PickKind[]
  /** Translates `editor:pick.` and `shell:button.`. */
  t: Translate
  locale: Locale
  title?: string
}

/** Chooses a file of the storage, or uploads a new one with the tray. */
export function FilePicker(props: Props) {
  const { open, onOpenChange, t, title } = props
  return (
    <Dialog
      title={title ?? t('editor:pick.title')}
      open={open}
      onOpenChange={onOpenChange}
      closeLabel={t('shell:button.cancel')}
      wide
    >
      {open && <PickerContent {...props} />}
    </Dialog>
  )
}

function PickerContent({ onOpenChange, onPick, kinds, t, locale }: Props) {
  const [search, setSearch] = useState('')
  const { files, state, hasMore: more, loadMore, reload } = useFileList(search, kinds)
  const searchId = useId()
  const pick = (file: PickedFile) => {
    onOpenChange(false)
    onPick(file)
  }
  return (
    <div className="grid gap-4">
      <UploadChoice kinds={kinds} onArrived={pick} t={t} />
      <div className="field">
        <label htmlFor={searchId} className="field-label">
          {t('editor:pick.search')}
        </label>
        <input
          id={searchId}
          type="search"
          className="input w-full"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div className="pick-list" aria-busy={state === 'loading'}>
        {state === 'failed' && (
          <p role="alert" className="flex flex-wrap items-center gap-3 p-3">
            {t('editor:pick.failed')}
            <Button small onClick={reload}>
              {t('shell:button.retry')}
            </Button>
          </p>
        )}
        {files.length > 0 && (
          <ul aria-label={t('editor:pick.files')} className="grid grid-cols-1 gap-1">
            {files.map((file) => (
              <FileChoice key={file.id} file={file} onPick={() => pick(file)} locale={locale} t={t} />
            ))}
          </ul>
        )}
        {state === 'ready' && files.length === 0 && !more && (
          <p className="p-3 text-muted">{t(search ? 'editor:pick.nothing' : 'editor:pick.empty')}</p>
        )}
        {state === 'loading' && files.length === 0 && <div className="skeleton-line h-40 w-full" />}
        {more && state === 'ready' && (
          <Button small className="m-2" onClick={loadMore}>
            {t('editor:pick.more')}
          </Button>
        )}
      </div>
    </div>
  )
}
