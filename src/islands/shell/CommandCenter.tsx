import { useState } from 'react'
import { type MountedIsland, mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { navigateTo } from '#islands/stores/page.ts'
import { type Command, type CommandLabels, CommandMenu } from '#islands/ui/CommandMenu.tsx'

let reopen: (() => void) | undefined
let mounted: { host: HTMLElement; island: MountedIsland } | undefined

/** Opens the command menu; renders it the first time, when React is loaded. */
export function openCommandMenu(host: HTMLElement | null): void {
  if (reopen && mounted?.host === host) {
    reopen()
    return
  }
  mounted?.island.unmount()
  if (!host) return
  const commands: Command[] = JSON.parse(host.dataset.places ?? '[]')
  const labels: CommandLabels = JSON.parse(host.dataset.words ?? '{}')
  const courses = host.dataset.courses
  const find = courses ? (typed: string, signal: AbortSignal) => findCourses(typed, courses, signal) : undefined
  const island = mountIsland(host, 'commands', <CommandCenter commands={commands} labels={labels} find={find} />)
  mounted = { host, island }
}

async function findCourses(typed: string, group: string, signal: AbortSignal): Promise<Command[]> {
  const { items } = await api.course.list({ q: typed, limit: 8 }, { signal, context: { isQuiet: true } })
  return items.map(({ id, title }) => ({ label: title, href: `/course/edit/${id}`, group }))
}

interface Props {
  commands: Command[]
  labels: CommandLabels
  find: ((typed: string, signal: AbortSignal) => Promise<Command[]>) | undefined
}

function CommandCenter({ commands, labels, find }: Props) {
  const [open, setOpen] = useState(true)
  reopen = () => setOpen(true)
  return (
    <CommandMenu
      commands={commands}
      words={labels}
      find={find}
      open={open}
      onOpenChange={setOpen}
      onGo={(href) => {
        setOpen(false)
        navigateTo(href)
      }}
    />
  )
}
