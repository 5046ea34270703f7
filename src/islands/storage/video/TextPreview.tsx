import { useEffect, useState } from 'react'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { formatBytes } from '#lib/core/shared/locale.ts'
import type { StorageI18n } from '../file-text.ts'

const MAX_BYTES = 200 * 1024

interface Props {
  address: string
  i18n: StorageI18n
  onFail: () => void
}

/** The first part of a text file as plain text. */
export default function TextPreview({ address, i18n, onFail }: Props) {
  const [text, setText] = useState<{ content: string; isCut: boolean } | null>(null)
  useEffect(() => {
    let current = true
    fetchText(address).then((loadedText) => current && setText(loadedText), onFail)
    return () => {
      current = false
    }
  }, [address, onFail])
  if (!text) return <Skeleton shape="lines" count={6} label={i18n.t('storage:details.loading')} />
  return (
    <div className="grid w-full gap-2">
      <textarea
        className="preview-text"
        readOnly
        rows={24}
        value={text.content}
        aria-label={i18n.t('storage:list.preview')}
      />
      {text.isCut && (
        <p className="text-muted text-sm">
          {i18n.t('storage:details.textCut', { size: formatBytes(MAX_BYTES, i18n.locale) })}
        </p>
      )}
    </div>
  )
}

async function fetchText(address: string): Promise<{ content: string; isCut: boolean }> {
  const answer = await fetch(address, { headers: { range: `bytes=0-${MAX_BYTES - 1}` } })
  if (!answer.ok) throw new Error(`the text answered ${answer.status}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const totalBytes = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? bytes.length)
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe
  return {
    content: new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes.subarray(0, MAX_BYTES)),
    isCut: totalBytes > MAX_BYTES,
  }
}
