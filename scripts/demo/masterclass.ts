import { and, eq } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { saveMasterclass } from '#lib/masterclass/content.ts'
import { SaveMasterclass } from '#lib/masterclass/schema.ts'
import { file } from '#lib/storage/table.ts'
import { CreateWorkshop } from '#lib/workshop/schema.ts'
import { createWorkshop } from '#lib/workshop/settings/create.ts'
import { addItem } from '#lib/workshop/settings/item.ts'
import { publishWorkshop } from '#lib/workshop/settings/publish.ts'

/** A masterclass with two parts that is open to everybody with an email address; its videos are in the storage. */
export async function showMasterclass(expert: Actor): Promise<void> {
  const { workshopId } = await createWorkshop(
    expert,
    CreateWorkshop.parse({
      type: 'masterclass',
      title: 'Голос без напруги',
      timeZone: 'Europe/Kyiv',
      access: 'registration',
      description: 'Годину говорити й не захрипнути – це техніка, а не талант. Показуємо її крок за кроком.',
    }),
  )
  const { itemId } = await addItem(expert, {
    workshopId,
    kind: 'button',
    content: { label: 'Записатися на курс «Голос ведучої»', url: 'https://example.com/voice' },
  })
  const [video] = await inTenant(expert, (tx) =>
    tx
      .select({ id: file.id })
      .from(file)
      .where(and(eq(file.kind, 'video'), eq(file.area, 'storage')))
      .limit(1),
  )
  await saveMasterclass(
    expert,
    SaveMasterclass.parse({
      workshopId,
      version: 0,
      content: {
        lead: 'Дві короткі частини: дихання й опора, а потім дикція та паузи.',
        audience: [
          'Викладачам, які ведуть кілька ефірів на тиждень',
          'Ведучим, у яких сідає голос',
          'Усім, хто говорить на камеру',
        ],
        results: ['Розминка на п’ять хвилин', 'Відчуття опори замість крику', 'План пауз для своєї промови'],
        program: [
          { title: 'Дихання', text: 'звідки береться гучність' },
          { title: 'Опора', text: 'як говорити годину й не втомитися' },
          { title: 'Паузи', text: 'коли мовчати сильніше, ніж казати' },
        ],
        faq: [{ title: 'Потрібен мікрофон?', text: 'Ні, вистачить телефона.' }],
        reviews: [{ title: 'Софія Мороз', text: 'Провела три ефіри поспіль і вперше не пила льодяників.' }],
        parts: [
          {
            id: 'breath',
            title: 'Дихання й опора',
            fileId: video?.id ?? null,
            chapters: [{ at: 0, title: 'Розминка' }],
          },
          { id: 'pause', title: 'Дикція й паузи', fileId: video?.id ?? null, unlock: 'afterDays', unlockDays: 1 },
        ],
        calls: [{ buttonId: itemId, partId: 'breath', at: 2 }],
        gate: 'email',
      },
    }),
  )
  await publishWorkshop(expert, { workshopId })
}
