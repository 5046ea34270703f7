import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Command, CommandMenu, type CommandWords } from '#islands/ui/CommandMenu.tsx'

let openAgain: (() => void) | undefined

/** Draws the command menu the first time it is asked for; React comes only then. */
export function openCommandCenter(host: HTMLElement | null): void {
  if (openAgain) {
    openAgain()
    return
  }
  if (!host) return
  const commands: Command[] = JSON.parse(host.dataset.places ?? '[]')
  const words: CommandWords = JSON.parse(host.dataset.words ?? '{}')
  createRoot(host).render(<CommandCenter commands={commands} words={words} />)
}

function CommandCenter({ commands, words }: { commands: Command[]; words: CommandWords }) {
  const [open, setOpen] = useState(true)
  openAgain = () => setOpen(true)
  return (
    <CommandMenu
      commands={commands}
      words={words}
      open={open}
      onOpenChange={setOpen}
      onGo={(href) => {
        setOpen(false)
        location.assign(href)
      }}
    />
  )
}
