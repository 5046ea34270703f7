import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { FileField } from '#islands/field/FileField.tsx'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { downloadText } from '#islands/stores/download.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { MAX_SCRIPT_BYTES } from '#lib/autowebinar/schema.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { reloadScript } from './script-store.ts'

interface Props {
  workshopId: string
  canEdit: boolean
  t: Translate
}

type ImportResult = Awaited<ReturnType<typeof api.autowebinar.importScript>>

/** Export and import of the script as CSV; invalid rows are listed with their errors. */
export function ScriptCsv({ workshopId, canEdit, t }: Props) {
  const fileInput = useRef<HTMLInputElement>(null)
  // Makes a repeated request idempotent; each selected file gets a new id.
  const importId = useRef(crypto.randomUUID())
  const [replace, setReplace] = useState(false)
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<ImportResult | null>(null)
  const importFile = async () => {
    const [file] = fileInput.current?.files ?? []
    if (!file) return
    setBusy(true)
    try {
      const csv = await file.text()
      setResult(await api.autowebinar.importScript({ workshopId, importId: importId.current, csv, replace }))
      await reloadScript()
    } catch (error) {
      showFailure(error instanceof CallError ? error.message : '')
    }
    setBusy(false)
  }
  return (
    <section className="card-line grid gap-3 p-4" aria-label={t('autowebinar:csv.title')}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{t('autowebinar:csv.title')}</h2>
        <Button
          small
          tone="quiet"
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() => void downloadScript(workshopId)}
        >
          {t('autowebinar:csv.export')}
        </Button>
      </div>
      {canEdit && (
        <>
          <FileField
            label={t('autowebinar:csv.file')}
            hint={t('autowebinar:csv.hint')}
            accept=".csv,text/csv"
            maxBytes={MAX_SCRIPT_BYTES}
            inputRef={fileInput}
            onChange={() => {
              importId.current = crypto.randomUUID()
              setResult(null)
            }}
          />
          <Checkbox
            label={t('autowebinar:csv.replace')}
            checked={replace}
            onChange={(event) => setReplace(event.target.checked)}
          />
          <Button small className="justify-self-start" busy={busy} onClick={() => void importFile()}>
            {t('autowebinar:csv.take')}
          </Button>
        </>
      )}
      {result && (
        <div role="status" className="text-sm">
          <p>{t('autowebinar:csv.taken', { count: result.added })}</p>
          {result.errors.length > 0 && (
            <>
              <p className="mt-2 font-semibold">{t('autowebinar:csv.wrong')}</p>
              <ul className="max-h-48 overflow-y-auto">
                {result.errors.map(({ row, error, text }) => (
                  <li key={row}>
                    {t('autowebinar:csv.row', { row, why: t(`autowebinar:csv.error.${error}`) })}
                    <span className="block truncate text-muted">{text}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </section>
  )
}

async function downloadScript(workshopId: string): Promise<void> {
  const { csv } = await api.autowebinar.getScriptFile({ workshopId })
  downloadText('script.csv', csv, 'text/csv')
}
