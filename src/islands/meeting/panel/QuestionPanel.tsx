import { useStore } from '@nanostores/react'
import { useMemo, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatComposer } from '../chat/ChatComposer.tsx'
import { ChatOutgoing } from '../chat/ChatOutgoing.tsx'
import { $chat, $letters } from '../chat/chat.ts'
import { sortQuestions } from '../chat/chat-list.ts'
import { useChatAction } from '../chat/use-chat-action.ts'
import { $me, $state } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { QuestionCard } from './QuestionCard.tsx'

const SORTS = ['top', 'new', 'open'] as const
const WORDS = {
  top: 'meeting:question.sortTop',
  new: 'meeting:question.sortNew',
  open: 'meeting:question.sortOpen',
} as const
/** More than anybody reads; the others are found by search. */
const MOST = 60

/** Questions: asked, voted for, answered aloud or in writing. */
export function QuestionPanel({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const me = useStore($me) ?? view.me
  const state = useStore($state) ?? view.state
  const chat = useStore($chat)
  const letters = useStore($letters)
  const [sort, setSort] = useState<(typeof SORTS)[number]>('top')
  const [mend, setMend] = useState<{ text: string } | null>(null)
  const { errorText, run } = useChatAction()
  const questions = useMemo(
    () => sortQuestions(chat.question, sort, state.answering),
    [chat.question, sort, state.answering],
  )
  const known = new Set(questions.map(({ messageId }) => messageId))
  const sending = letters.filter(({ kind, messageId }) => kind === 'question' && !known.has(messageId))
  return (
    <div className="chat">
      <div className="chat-search">
        <select
          className="select select-sm"
          aria-label={t('meeting:question.sort')}
          value={sort}
          onChange={({ target }) => setSort(SORTS.find((one) => one === target.value) ?? 'top')}
        >
          {SORTS.map((one) => (
            <option key={one} value={one}>
              {t(WORDS[one])}
            </option>
          ))}
        </select>
      </div>
      <div className="chat-page">
        {questions.length + sending.length === 0 && <p className="chat-empty">{t('meeting:question.empty')}</p>}
        <ul aria-label={t('meeting:question.list')} className="chat-cards">
          {sending.map((letter) => (
            <li key={letter.messageId} className="chat-card">
              <ChatOutgoing message={letter} me={me} edit={(text) => setMend({ text })} />
            </li>
          ))}
          {questions.slice(0, MOST).map((question) => (
            <QuestionCard
              key={question.messageId}
              question={question}
              me={me}
              answering={question.messageId === state.answering}
              run={run}
            />
          ))}
        </ul>
      </div>
      {errorText && (
        <p className="chat-failed" role="alert">
          {errorText}
        </p>
      )}
      <ChatComposer view={view} kind="question" to={null} onDone={() => setMend(null)} mend={mend} />
    </div>
  )
}
