import '../chat/chat.css'
import { Tabs } from '@base-ui/react/tabs'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import { ChatAnnouncer } from '../chat/ChatAnnouncer.tsx'
import { ChatPanel } from '../chat/ChatPanel.tsx'
import { ChatQueue } from '../chat/ChatQueue.tsx'
import { $chatTab, $unread, type ChatTab, joinChat, openTab } from '../chat/chat.ts'
import { $me } from '../room.ts'
import type { RoomProps } from '../room-props.ts'
import { useTranslation } from '../translation.ts'
import { Handouts } from './Handouts.tsx'
import { ParticipantPanel } from './ParticipantPanel.tsx'
import { QuestionPanel } from './QuestionPanel.tsx'

const TABS: readonly ChatTab[] = ['chat', 'questions', 'people', 'materials', 'queue']
/** A session with a mentor has neither prepared materials nor messages to approve. */
const SESSION_TABS: readonly ChatTab[] = ['chat', 'people']
const MAX_SHOWN_COUNT = 99

/** The panel next to the stage: chat, questions, participants, materials, and for staff messages to approve. */
export function SidePanel({ view }: RoomProps) {
  const { t } = useTranslation()
  const me = useStore($me) ?? view.me
  const tab = useStore($chatTab)
  const unread = useStore($unread)
  useEffect(() => joinChat(view), [view])

  const panels: Record<ChatTab, ReactNode> = {
    chat: <ChatPanel view={view} />,
    questions: <QuestionPanel view={view} />,
    people: <ParticipantPanel view={view} />,
    materials: <Handouts view={view} />,
    queue: <ChatQueue view={view} />,
  }
  const shown = view.mentoring ? SESSION_TABS : TABS
  const tabs = shown.filter((name) => name !== 'queue' || isStaff(me.role))
  return (
    <>
      <ChatAnnouncer view={view} />
      <Tabs.Root
        className="panel"
        value={tab}
        onValueChange={(next) => openTab(TABS.find((name) => name === next) ?? 'chat')}
      >
        <Tabs.List className="panel-tabs" aria-label={t('meeting:panel.label')}>
          {tabs.map((name) => {
            const count = name === 'chat' || name === 'questions' || name === 'queue' ? unread[name] : 0
            return (
              <Tabs.Tab key={name} value={name} className="panel-tab">
                {t(`meeting:panel.tab.${name}`)}
                {count > 0 && (
                  <>
                    <span className="panel-count" aria-hidden="true">
                      {count > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : count}
                    </span>
                    <span className="sr-only">, {t('meeting:panel.unread', { count })}</span>
                  </>
                )}
              </Tabs.Tab>
            )
          })}
        </Tabs.List>
        {tabs.map((name) => (
          // Chat and questions stay mounted to keep their drafts; the other tabs load their lists when opened.
          <Tabs.Panel
            key={name}
            value={name}
            keepMounted={name === 'chat' || name === 'questions'}
            className="panel-page"
          >
            {panels[name]}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </>
  )
}
