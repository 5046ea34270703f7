import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { api } from '#islands/stores/api.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { QUIET_CALL } from '../chat-props.ts'
import { insertMention, typedMention } from '../mention-text.ts'

export interface MentionChoice {
  /** Null for everyone in the conversation. */
  memberId: string | null
  name: string
}

interface Options {
  conversationId: string
  canMentionAll: boolean
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  onType(text: string): void
  onMention(choice: MentionChoice): void
  t: Translate
}

const SEARCH_DELAY_MS = 150

/** The people who are offered after `@`: the arrow keys choose one, Enter or Tab inserts it, Escape closes the list. */
export function useMentions({ conversationId, canMentionAll, field, text, onType, onMention, t }: Options) {
  const [choices, setChoices] = useState<readonly MentionChoice[]>([])
  const [active, setActive] = useState(0)
  const closedAt = useRef<string | null>(null)
  const typed = useRef<ReturnType<typeof typedMention>>(null)

  useEffect(() => {
    const caret = field.current?.selectionStart ?? text.length
    const mention = document.activeElement === field.current ? typedMention(text.slice(0, caret)) : null
    typed.current = mention
    if (!mention || closedAt.current === text) {
      setChoices([])
      return undefined
    }
    let isCurrent = true
    const timer = setTimeout(() => {
      api.chat.listReaders({ conversationId, search: mention.search }, QUIET_CALL).then(
        ({ readers }) => {
          if (!isCurrent) return
          const all = t('chat:mention.all')
          const isAll = canMentionAll && all.startsWith(mention.search.toLowerCase())
          setChoices([...(isAll ? [{ memberId: null, name: all }] : []), ...readers])
          setActive(0)
        },
        () => undefined,
      )
    }, SEARCH_DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, conversationId, canMentionAll, field, t])

  const choose = (choice: MentionChoice) => {
    const mention = typed.current
    if (!mention) return
    const inserted = insertMention(text, mention, choice.name)
    onMention(choice)
    onType(inserted.text)
    setChoices([])
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(inserted.caret, inserted.caret)
    })
  }
  /** Whether the key was for the list. */
  const handleKey = (event: KeyboardEvent): boolean => {
    const chosen = choices[active]
    if (!chosen) return false
    if (event.key === 'ArrowDown') setActive((active + 1) % choices.length)
    else if (event.key === 'ArrowUp') setActive((active + choices.length - 1) % choices.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen)
    else if (event.key === 'Escape') {
      closedAt.current = text
      setChoices([])
    } else return false
    event.preventDefault()
    return true
  }
  return { choices, active, choose, handleKey }
}
