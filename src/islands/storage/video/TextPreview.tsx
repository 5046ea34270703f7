import { useEffect, useState } from 'react'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { formatBytes } from '#lib/core/shared/locale.ts'
import type { Words } from '../file-text.ts'

const MOST = 200 * 1024

interface Props {
  address: string
  words: Words
  onFail: () => void
}

/** The beginning of a text, as text: nothing in it is run or drawn. */
export default function TextPreview({ address, words, onFail }: Props) {
  const [text, setText] = useState<{ words: string; cut: boolean } | null>(null)
  useEffect(() => {
    let current = true
    read(address).then((found) => current && setText(found), onFail)
    return () => {
      current = false
    }
  }, [address, onFail])
  if (!text) return <Skeleton shape="lines" count={6} label={words.t('storage:details.loading')} />
  return (
    <div className="grid w-full gap-2">
      <textarea
        className="preview-text"
        readOnly
        rows={24}
        value={text.words}
        aria-label={words.t('storage:list.preview')}
      />
      {text.cut && (
        <p className="text-muted text-sm">
          {words.t('storage:details.textCut', { size: formatBytes(MOST, words.locale) })}
        </p>
      )}
    </div>
  )
}

async function read(address: string): Promise<{ words: string; cut: boolean }> {
  const answer = await fetch(address, { headers: { range: `bytes=0-${MOST - 1}` } })
  if (!answer.ok) throw new Error(`the text answered ${answer.status}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const whole = Number(/\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? bytes.length)
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe
  return { words: new TextDecoder(wide ? 'utf-16le' : 'utf-8').decode(bytes.subarray(0, MOST)), cut: whole > MOST }
}
