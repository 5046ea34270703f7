import { z } from 'zod'
import { SCRIPT_ENTRY_TYPES, TRACKS } from '#lib/core/shared/event/auto-event.ts'
import { eventUnion } from '#lib/workshop/session/event-output-schema.ts'
import type { ScriptEntry as ScriptEntryType } from './schema.ts'

/** An entry of a script. */
export const ScriptEntry = eventUnion(SCRIPT_ENTRY_TYPES, {
  id: z.string(),
  offsetMs: z.number(),
  position: z.number(),
  version: z.number(),
  track: z.enum(TRACKS),
}) as z.ZodType<ScriptEntryType, ScriptEntryType>
