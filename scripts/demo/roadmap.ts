import type { Actor } from '#lib/core/shared/actor.ts'
import { createRoadmap, getRoadmap, publishRoadmap, saveRoadmap } from '#lib/roadmap/roadmap.ts'
import { RoadmapText } from '#lib/roadmap/schema.ts'

const PERIODS = ['тиждень 1', 'тиждень 2', 'тиждень 3', 'тиждень 4']

/** The public road map of the course. */
export async function drawWay(author: Actor, courseId: string): Promise<void> {
  const { roadmapId } = await createRoadmap(author, { courseId })
  const { version, ...kept } = await getRoadmap(author, { roadmapId })
  const text = RoadmapText.parse(kept)
  const stages = text.stages.map((stage, at) => ({ ...stage, period: PERIODS[at] ?? '' }))
  const bare = { refId: null, duration: '', optional: false }
  const end = {
    title: 'Далі — самостійно',
    period: 'коли будете готові',
    text: 'Зберіть людей і проведіть власну подію.',
    items: [
      { ...bare, type: 'milestone' as const, title: 'Перший власний вебінар', description: 'Хоч би й на десятьох.' },
      { ...bare, type: 'text' as const, title: 'Розбір запису з куратором', description: '', optional: true },
    ],
  }
  const callToAct = { label: 'Хочу на курс', href: 'mailto:school@kafedra.test' }
  const changed = { ...text, visibility: 'public' as const, stages: [...stages, end], callToAct }
  await saveRoadmap(author, { ...changed, roadmapId, version })
  await publishRoadmap(author, { roadmapId })
}
