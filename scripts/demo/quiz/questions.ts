import { plainRichText } from '#lib/quiz/question/rich-text-schema.ts'
import type { QuestionContentInput } from '#lib/quiz/question/schema.ts'

const text = plainRichText

/** Questions about running a webinar, one of each type. */
export const demoQuestions = (pictureId: string): (QuestionContentInput & { id: string })[] => [
  {
    id: 'start',
    type: 'single',
    stem: text('Коли починати ефір, якщо половина слухачів ще не зайшла?'),
    options: [
      {
        id: 'a',
        content: text('Вчасно, з короткого вступу'),
        fraction: 1,
        explanation: text('Так ви поважаєте тих, хто прийшов.'),
      },
      { id: 'b', content: text('Щойно зайдуть усі'), fraction: 0 },
      { id: 'c', content: text('Через п’ятнадцять хвилин'), fraction: 0 },
    ],
  },
  {
    id: 'sound',
    type: 'multiple',
    stem: text('Що перевіряють за десять хвилин до ефіру?'),
    points: 2,
    options: [
      { id: 'a', content: text('Звук'), fraction: 0.5 },
      { id: 'b', content: text('Слайди'), fraction: 0.5 },
      { id: 'c', content: text('Погоду'), fraction: 0 },
    ],
  },
  { id: 'camera', type: 'trueFalse', stem: text('Камера має бути на рівні очей.'), correct: true },
  {
    id: 'word',
    type: 'shortText',
    stem: text('Як називається людина, яка стежить за порядком у чаті?'),
    accepted: [{ id: 'a', text: 'модератор', fraction: 1 }],
  },
  {
    id: 'minutes',
    type: 'number',
    stem: text('Скільки хвилин у годині лишають на запитання?'),
    accepted: [{ id: 'a', kind: 'range', min: '10', max: '15', fraction: 1 }],
    unit: 'хв',
  },
  {
    id: 'order',
    type: 'ordering',
    stem: text('Упорядкуйте частини ефіру.'),
    points: 3,
    items: ['Привітання', 'Обіцянка', 'Практика', 'Запитання'].map((name, index) => ({
      id: `i${index}`,
      content: text(name),
    })),
  },
  {
    id: 'roles',
    type: 'matching',
    stem: text('Хто що робить під час ефіру?'),
    points: 2,
    prompts: [
      { id: 'p1', content: text('Ведучий'), choiceId: 'c1' },
      { id: 'p2', content: text('Модератор'), choiceId: 'c2' },
    ],
    choices: [
      { id: 'c1', content: text('Розповідає й показує') },
      { id: 'c2', content: text('Відповідає в чаті') },
      { id: 'c3', content: text('Монтує запис') },
    ],
  },
  {
    id: 'gaps',
    type: 'gapText',
    stem: text('Слухач запам’ятовує те, що [[g1]], а не те, що [[g2]].'),
    points: 2,
    gaps: [
      { id: 'g1', accepted: [{ id: 'a', text: 'зробив', fraction: 1 }] },
      { id: 'g2', accepted: [{ id: 'a', text: 'почув', fraction: 1 }] },
    ],
  },
  {
    id: 'light',
    type: 'gapSelect',
    stem: text('Світло ставлять [[g1]] від камери.'),
    gaps: [
      {
        id: 'g1',
        options: [
          { id: 'a', text: 'збоку', fraction: 1 },
          { id: 'b', text: 'позаду', fraction: 0 },
        ],
      },
    ],
  },
  {
    id: 'stage',
    type: 'hotspot',
    stem: text('Покажіть на афіші місце, куди дивитиметься слухач.'),
    imageFileId: pictureId,
    imageAlt: 'Синьо-жовта афіша з колом посередині',
    regions: [
      {
        id: 'r1',
        label: 'Коло',
        shape: { kind: 'ellipse', x: 0.5, y: 0.5, radiusX: 0.15, radiusY: 0.25 },
        correct: true,
      },
    ],
  },
  {
    id: 'ready',
    type: 'scale',
    stem: text('Наскільки ви готові провести ефір?'),
    min: 1,
    max: 5,
    minLabel: 'ще ні',
    maxLabel: 'хоч зараз',
  },
]

/** Questions that are marked by a reviewer. */
export const writtenQuestions = (): (QuestionContentInput & { id: string })[] => [
  {
    id: 'plan',
    type: 'essay',
    stem: text('Опишіть, що слухачі робитимуть на вашому вебінарі.'),
    points: 5,
    minWords: 5,
    maxWords: 200,
  },
  {
    id: 'poster',
    type: 'fileUpload',
    stem: text('Додайте афішу.'),
    points: 4,
    acceptTypes: ['image', '.pdf'],
    maxFiles: 2,
  },
]
