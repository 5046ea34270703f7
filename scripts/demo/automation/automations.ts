import { saveAutomation, switchAutomation } from '#lib/automation/automation.ts'
import { AutomationSettings } from '#lib/automation/schema.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'

const AUTOMATIONS = [
  {
    title: 'Тиждень без уроків',
    trigger: 'lessonsNotOpened',
    days: 7,
    action: 'notify',
    subject: 'Ваше місце на курсі чекає на вас',
    text: 'Ви тиждень не заходили на курс «{subject}». Почніть з останнього уроку: він забере кілька хвилин.',
  },
  {
    title: 'Дзвінок після незданого тесту',
    trigger: 'testFailed',
    delayHours: 2,
    action: 'task',
    text: 'Запитати, що було незрозумілим у тесті «{subject}», і запропонувати зустріч.',
  },
  { title: 'Мітка випускникам', trigger: 'courseCompleted', action: 'tag', tag: 'випускник' },
] as const

/** Three automations of the demo school: two that are on and one that is off. */
export async function addAutomations(owner: Actor): Promise<void> {
  for (const [index, settings] of AUTOMATIONS.entries()) {
    const automationId = newId()
    await saveAutomation(owner, { automationId, version: 0, settings: AutomationSettings.parse(settings) })
    if (index < 2) await switchAutomation(owner, { automationId, isOn: true })
  }
}
