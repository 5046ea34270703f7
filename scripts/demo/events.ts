import type { Actor } from '#lib/core/shared/actor.ts'
import { dayNumber, instantOfDay } from '#lib/core/shared/time-zone.ts'
import { CreateWorkshop } from '#lib/workshop/schema.ts'
import { createWorkshop } from '#lib/workshop/settings/create.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { publishWorkshop } from '#lib/workshop/settings/publish.ts'
import { saveSettings } from '#lib/workshop/settings/save.ts'
import { setEventStaff } from '#lib/workshop/settings/staff.ts'
import { handout } from './files/handout.ts'
import { keep, poster } from './files/shelf.ts'

const ZONE = 'Europe/Kyiv'

interface Team {
  expert: Actor
  presenter: Actor
  moderator: Actor
}

/**
 * The future events of a school: a webinar in three days with all prepared items, and a draft. Returns the id of the
 * webinar.
 */
export async function planEvents({ expert, presenter, moderator }: Team): Promise<{ workshopId: string }> {
  const slidesFileId = await keep(expert, {
    parentId: null,
    name: 'Голос без втоми.pdf',
    kind: 'doc',
    mime: 'application/pdf',
    bytes: handout(['Holos bez vtomy', 'Tilo: shcho tysne na holos', 'Dykhannia', 'Try vpravy', 'Zapytannia']),
  })
  const coverFileId = await keep(expert, {
    parentId: null,
    name: 'Обкладинка вебінару.png',
    kind: 'image',
    mime: 'image/png',
    bytes: await poster('#14532d', '#f2c14e'),
  })
  const facts = {
    title: 'Голос без втоми: година ефіру наживо',
    timeZone: ZONE,
    plannedMinutes: 60,
    slidesFileId,
    coverFileId,
    startAt: evening(3),
    access: 'registration' as const,
    description:
      'Чому голос сідає на сороковій хвилині й що з цим робити. Покажемо три вправи, які виконують просто за столом, і розберемо голоси тих, хто зважиться.\n\nДля викладачів, ведучих і всіх, хто говорить по кілька годин на день.',
  }
  const { workshopId } = await createWorkshop(expert, CreateWorkshop.parse({ type: 'webinar', ...facts }))
  await saveSettings(expert, { workshopId, settings: SETTINGS })
  await setEventStaff(expert, {
    workshopId,
    staff: [
      { memberId: expert.membershipId, role: 'host' },
      { memberId: presenter.membershipId, role: 'speaker' },
      { memberId: moderator.membershipId, role: 'moderator' },
    ],
  })
  for (const item of ITEMS) await addItem(expert, { workshopId, ...item })
  await addItem(expert, { workshopId, kind: 'handout', content: { title: 'Слайди вебінару', fileId: slidesFileId } })
  await publishWorkshop(expert, { workshopId })

  const draft = await createWorkshop(
    expert,
    CreateWorkshop.parse({
      type: 'webinar',
      title: 'Страх камери: розмова з психологинею',
      timeZone: ZONE,
      startAt: evening(17),
      plannedMinutes: 90,
    }),
  )
  await saveSettings(expert, { workshopId: draft.workshopId, settings: { guests: [GUEST] } })
  return { workshopId }
}

const GUEST = { name: 'Олена Мельник', about: 'Психологиня, працює з публічними виступами', fileId: null }

const SETTINGS = {
  form: {
    phone: 'optional' as const,
    approval: 'auto' as const,
    seats: 200,
    waitlist: true,
    marketing: true,
    questions: [
      {
        id: 'work',
        label: 'Де ви говорите найбільше?',
        kind: 'dropdown' as const,
        required: false,
        options: ['На парах', 'В ефірі', 'На нарадах', 'Деінде'],
      },
    ],
  },
  splash: {
    before: { text: 'Починаємо о 19:00. Налийте води кімнатної температури.', fileId: null },
    after: { text: 'Дякуємо! Запис надійде на пошту протягом доби.', fileId: null },
    lost: { text: 'Ведуча перепідключається. Залишайтеся з нами.', fileId: null },
  },
}

const ITEMS = [
  {
    kind: 'button' as const,
    content: { label: 'Записатися на курс «Голос для ефіру»', url: 'https://example.com/voice', countdownSeconds: 900 },
  },
  {
    kind: 'button' as const,
    content: { label: 'Розбір вашого голосу', url: 'https://example.com/review', style: 'accent', quantityLeft: 7 },
  },
  {
    kind: 'poll' as const,
    content: { question: 'Коли голос втомлюється?', options: ['За пів години', 'За дві години', 'Під кінець дня'] },
  },
  {
    kind: 'poll' as const,
    content: {
      question: 'Що пити перед ефіром?',
      kind: 'quiz',
      right: [1],
      options: ['Каву', 'Воду кімнатної температури', 'Воду з льодом'],
    },
  },
]

function evening(days: number): string {
  return instantOfDay(dayNumber(new Date(), ZONE) + days, '19:00', ZONE).toISOString()
}
