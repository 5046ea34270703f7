import { forRoles } from '#lib/core/http/procedure.ts'
import * as ask from './schema.ts'
import * as door from './storage.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The storage room at the API's door. */
export const storage = {
  list: staff.input(ask.ListFiles).handler(({ input, context }) => door.listFiles(context.actor, input)),
  get: staff.input(ask.OneFile).handler(({ input, context }) => door.getFile(context.actor, input)),
  createFolder: staff.input(ask.CreateFolder).handler(({ input, context }) => door.createFolder(context.actor, input)),
  ensureFolders: staff
    .input(ask.EnsureFolders)
    .handler(({ input, context }) => door.ensureFolders(context.actor, input)),
  rename: staff.input(ask.RenameFile).handler(({ input, context }) => door.renameFile(context.actor, input)),
  move: staff.input(ask.MoveFiles).handler(({ input, context }) => door.moveFiles(context.actor, input)),
  find: staff.input(ask.OneFile).handler(({ input, context }) => door.findFile(context.actor, input.fileId)),
}
