import { Done, done, forRoles, signedIn } from '#lib/core/http/api/procedure.ts'
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
  copy: staff.input(ask.MoveFiles).handler(({ input, context }) => door.copyFiles(context.actor, input)),
  delete: staff.input(ask.DeleteFiles).handler(({ input, context }) => door.deleteFiles(context.actor, input)),
  restore: staff.input(ask.SomeFiles).handler(({ input, context }) => door.restoreFiles(context.actor, input)),
  purge: staff.input(ask.SomeFiles).handler(({ input, context }) => door.purgeFiles(context.actor, input)),
  emptyTrash: staff.handler(({ context }) => door.emptyTrash(context.actor)),
  offerZip: staff.input(ask.ZipFiles).handler(({ input, context }) => door.offerZip(context.actor, input)),
  startUpload: staff.input(ask.StartUpload).handler(({ input, context }) => door.startUpload(context.actor, input)),
  signPart: signedIn.input(ask.SignPart).handler(({ input, context }) => door.signPart(context.actor, input)),
  listParts: signedIn.input(ask.OneUpload).handler(({ input, context }) => door.listParts(context.actor, input)),
  finishUpload: signedIn.input(ask.OneUpload).handler(({ input, context }) => door.finishUpload(context.actor, input)),
  abortUpload: signedIn
    .input(ask.OneUpload)
    .output(Done)
    .handler(({ input, context }) => door.abortUpload(context.actor, input).then(done)),
  listUploads: signedIn.handler(({ context }) => door.listUploads(context.actor)),
  findDuplicate: staff
    .input(ask.FindDuplicate)
    .handler(({ input, context }) => door.findDuplicate(context.actor, input)),
  getQuota: staff.handler(({ context }) => door.getQuota(context.actor)),
  getPlayback: staff.input(ask.OneFile).handler(({ input, context }) => door.getPlayback(context.actor, input)),
  renewPlayback: signedIn
    .input(ask.RenewPlayback)
    .handler(({ input, context }) => door.renewPlayback(context.actor, input)),
  savePosition: signedIn
    .input(ask.SavePosition)
    .output(Done)
    .handler(({ input, context }) => door.savePosition(context.actor, input).then(done)),
  getVideo: staff.input(ask.OneFile).handler(({ input, context }) => door.getVideo(context.actor, input)),
  retryVideo: staff
    .input(ask.OneFile)
    .output(Done)
    .handler(({ input, context }) => door.retryVideo(context.actor, input).then(done)),
  choosePoster: staff
    .input(ask.ChoosePoster)
    .output(Done)
    .handler(({ input, context }) => door.choosePoster(context.actor, input).then(done)),
  getDesk: staff.input(ask.OneFile).handler(({ input, context }) => door.getDesk(context.actor, input)),
  saveTexts: staff.input(ask.SaveTexts).handler(({ input, context }) => door.saveTexts(context.actor, input)),
  saveChapters: staff.input(ask.SaveChapters).handler(({ input, context }) => door.saveChapters(context.actor, input)),
  listCaptions: staff.input(ask.OneFile).handler(({ input, context }) => door.listCaptions(context.actor, input)),
  getCaption: staff.input(ask.OneCaption).handler(({ input, context }) => door.getCaption(context.actor, input)),
  saveCaption: staff.input(ask.SaveCaption).handler(({ input, context }) => door.saveCaption(context.actor, input)),
  removeCaption: staff
    .input(ask.OneCaption)
    .output(Done)
    .handler(({ input, context }) => door.removeCaption(context.actor, input).then(done)),
  askCaptions: staff
    .input(ask.AskCaptions)
    .output(Done)
    .handler(({ input, context }) => door.askCaptions(context.actor, input).then(done)),
  askTexts: staff
    .input(ask.OneFile)
    .output(Done)
    .handler(({ input, context }) => door.askTexts(context.actor, input).then(done)),
}
