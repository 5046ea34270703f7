import { useStore } from '@nanostores/react'
import { useMemo, useState } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { ChatOutgoing } from '../chat/ChatOutgoing.tsx'
import { ChatSendArea } from '../chat/ChatSendArea.tsx'
import { $chat, $outgoingMessages } from '../chat/chat.ts'
import { sortQuestions } from '../chat/chat-list.ts'
import { useChatAction } from '../chat/use-chat-action.ts'
import { $me, $state } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { QuestionCard } from './QuestionCard.tsx'

const SORTS = ['top', 'new', 'open'] as const
const SORT_LABELS = {
  top: 'meeting:question.sortTop',
  new: 'meeting:question.sortNew',
  open: 'meeting:question.sortOpen',
} as const
/** Maximum number of shown questions. */
const MAX_QUESTIONS = 60

/** The questions to the presenters, with sorting and a field for new ones. */
export function QuestionPanel({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const me = useStore($me) ?? view.me
  const state = useStore($state) ?? view.state
  const chat = useStore($chat)
  const outgoingMessages = useStore($outgoingMessages)
  const [sort, setSort] = useState<(typeof SORTS)[number]>('top')
  const [correction, setCorrection] = useState<{ text: string } | null>(null)
  const { errorText, run } = useChatAction()
  const questions = useMemo(
    () => sortQuestions(chat.question, sort, state.answering),
    [chat.question, sort, state.answering],
  )
  const knownIds = new Set(questions.map(({ messageId }) => messageId))
  const unsentQuestions = outgoingMessages.filter(({ id, payload }) => payload.kind === 'question' && !knownIds.has(id))
  return (
    <div className="chat">
      <div className="chat-search">
        <select
          className="select select-sm"
          aria-label={t('meeting:question.sort')}
          value={sort}
          onChange={({ target }) => setSort(SORTS.find((sort) => sort === target.value) ?? 'top')}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {t(SORT_LABELS[sort])}
            </option>
          ))}
        </select>
      </div>
      <div className="chat-page">
        {questions.length + unsentQuestions.length === 0 && <p className="chat-empty">{t('meeting:question.empty')}</p>}
        <ul aria-label={t('meeting:question.list')} className="chat-cards">
          {unsentQuestions.map((outgoing) => (
            <li key={outgoing.id} className="chat-card">
              <ChatOutgoing message={outgoing} me={me} edit={(text) => setCorrection({ text })} />
            </li>
          ))}
          {questions.slice(0, MAX_QUESTIONS).map((question) => (
            <QuestionCard
              key={question.messageId}
              question={question}
              me={me}
              isAnswering={question.messageId === state.answering}
              run={run}
            />
          ))}
        </ul>
      </div>
      <ChatSendArea
        errorText={errorText}
        view={view}
        kind="question"
        replyTo={null}
        onDone={() => setCorrection(null)}
        correction={correction}
      />
    </div>
  )
}
