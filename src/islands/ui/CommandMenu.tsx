import { Dialog } from '@base-ui/react/dialog'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { foldForSearch } from '#lib/core/shared/text/search-text.ts'
import { useLatestRequest } from './request/use-latest-request.ts'

export interface Command {
  label: string
  href: string
  /** Heading of its group. */
  group: string
}

export interface CommandLabels {
  title: string
  placeholder: string
  nothing: string
  hint: string
}

interface Props {
  commands: readonly Command[]
  words: CommandLabels
  open: boolean
  onOpenChange: (open: boolean) => void
  onGo: (href: string) => void
  /** Searches on the server, e.g. for courses; called 200 ms after the last key with two letters or more. */
  find?: ((typed: string, signal: AbortSignal) => Promise<Command[]>) | undefined
}

const SEARCH_DELAY_MS = 200

/** ⌘K: search by typing, select with the arrow keys, open with Enter. */
export function CommandMenu({ commands, words, open, onOpenChange, onGo, find }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="floating fixed top-[12vh] left-1/2 z-70 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden">
          <Dialog.Title className="sr-only">{words.title}</Dialog.Title>
          <Finder commands={commands} words={words} onGo={onGo} find={find} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({ commands, words, onGo, find }: Pick<Props, 'commands' | 'words' | 'onGo' | 'find'>) {
  const list = useId()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const more = useServerResults(typed, find)
  const matches = [...findCommands(commands, typed), ...more]
  const active = matches[Math.min(chosen, matches.length - 1)]

  function press(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && matches.length > 0) {
      event.preventDefault()
      setChosen((Math.min(chosen, matches.length - 1) + step + matches.length) % matches.length)
    }
    if (event.key === 'Enter' && active) onGo(active.href)
  }

  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={active ? `${list}-${matches.indexOf(active)}` : undefined}
        aria-label={words.title}
        placeholder={words.placeholder}
        className="h-14 w-full border-base-300 border-b bg-transparent px-4 outline-none placeholder:text-muted focus:border-primary"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(0)
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label={words.title} className="max-h-[50vh] overflow-y-auto p-1.5">
        {matches.map((command, index) => (
          <div key={command.href + command.label}>
            {command.group !== matches[index - 1]?.group && <p className="menu-heading pt-2">{command.group}</p>}
            <a
              id={`${list}-${index}`}
              role="option"
              aria-selected={command === active}
              tabIndex={-1}
              href={command.href}
              className="option"
              onPointerMove={() => setChosen(index)}
            >
              {command.label}
            </a>
          </div>
        ))}
      </div>
      <p role="status" className={matches.length > 0 ? 'sr-only' : 'px-4 pb-4 text-muted text-sm'}>
        {matches.length === 0 ? words.nothing : ''}
      </p>
      <p className="border-base-300 border-t px-4 py-2 text-muted text-xs max-sm:hidden">{words.hint}</p>
    </>
  )
}

function useServerResults(typed: string, find: Props['find']): readonly Command[] {
  const [more, setMore] = useState<readonly Command[]>([])
  const latest = useLatestRequest()
  useEffect(() => {
    latest.cancel()
    setMore([])
    if (!find || typed.trim().length < 2) return
    const timer = setTimeout(
      // Errors are ignored: without the server's results the pages can still be found.
      () => void latest.run((signal) => find(typed.trim(), signal), setMore),
      SEARCH_DELAY_MS,
    )
    return () => clearTimeout(timer)
  }, [typed, find, latest])
  return more
}

/** Commands whose label or group contains words that start with each typed word; kinds of apostrophes are equal. */
export function findCommands(commands: readonly Command[], typed: string): Command[] {
  const searchedWords = normalize(typed).split(' ').filter(Boolean)
  return commands.filter((command) => {
    const text = ` ${normalize(`${command.label} ${command.group}`)}`
    return searchedWords.every((word) => text.includes(` ${word}`))
  })
}

const normalize = (text: string) =>
  foldForSearch(text)
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()
