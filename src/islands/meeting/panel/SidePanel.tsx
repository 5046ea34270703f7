import '../chat/chat.css'
import { Tabs } from '@base-ui/react/tabs'
import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect } from 'react'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import { ChatHeard } from '../chat/ChatAnnouncer.tsx'
import { ChatPanel } from '../chat/ChatPanel.tsx'
import { ChatQueue } from '../chat/ChatQueue.tsx'
import { $chatTab, $unread, type ChatTab, joinChat, openTab } from '../chat/chat.ts'
import { $me } from '../room.ts'
import type { RoomProps } from '../room-props.ts'
import { useTranslation } from '../translation.ts'
import { Handouts } from './Handouts.tsx'
import { PeoplePanel } from './ParticipantPanel.tsx'
import { QuestionPanel } from './QuestionPanel.tsx'

const TABS: readonly ChatTab[] = ['chat', 'questions', 'people', 'materials', 'queue']
const MOST_SHOWN = 99

/** Beside the stage: chat, questions, people, materials, and for the staff what waits for them. */
export function SidePanel({ view }: RoomProps) {
  const { t } = useTranslation()
  const me = useStore($me) ?? view.me
  const tab = useStore($chatTab)
  const unread = useStore($unread)
  useEffect(() => joinChat(view), [view])

  const panels: Record<ChatTab, ReactNode> = {
    chat: <ChatPanel view={view} />,
    questions: <QuestionPanel view={view} />,
    people: <PeoplePanel view={view} />,
    materials: <Handouts view={view} />,
    queue: <ChatQueue view={view} />,
  }
  const tabs = TABS.filter((one) => one !== 'queue' || isStaff(me.role))
  return (
    <>
      <ChatHeard view={view} />
      <Tabs.Root
        className="panel"
        value={tab}
        onValueChange={(next) => openTab(TABS.find((one) => one === next) ?? 'chat')}
      >
        <Tabs.List className="panel-tabs" aria-label={t('meeting:panel.label')}>
          {tabs.map((one) => {
            const count = one === 'chat' || one === 'questions' || one === 'queue' ? unread[one] : 0
            return (
              <Tabs.Tab key={one} value={one} className="panel-tab">
                {t(`meeting:panel.tab.${one}`)}
                {count > 0 && (
                  <>
                    <span className="panel-count" aria-hidden="true">
                      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
                    </span>
                    <span className="sr-only">, {t('meeting:panel.unread', { count })}</span>
                  </>
                )}
              </Tabs.Tab>
            )
          })}
        </Tabs.List>
        {tabs.map((one) => (
          // What is typed in the chat and in the questions stays; the other lists are read when they are looked at.
          <Tabs.Panel key={one} value={one} keepMounted={one === 'chat' || one === 'questions'} className="panel-page">
            {panels[one]}
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </>
  )
}
