const SIGNATURE = 'd0cf11e0a1b11ae1'
/** Class ids of Windows Installer packages, transforms and patches, in file byte order. */
const INSTALLER = /^8[246]100c0000000000c000000000000046$/

/**
 * Position of the class id in a compound file (MS-CFB 2.2, 2.6.1): the first bytes of a Word document and an installer
 * are equal. Null for any other file.
 */
export function classIdRange(head: Buffer, size: number): { start: number; end: number } | null {
  if (head.length < 512 || head.toString('hex', 0, 8) !== SIGNATURE) return null
  const sector = 1 << Math.min(head.readUInt16LE(30), 16)
  const root = (head.readUInt32LE(48) + 1) * sector
  return root + 96 > size ? null : { start: root + 80, end: root + 95 }
}

/** Whether a class id is that of an installer. */
export const isInstaller = (classId: Buffer): boolean => INSTALLER.test(classId.toString('hex'))
