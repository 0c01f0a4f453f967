/**
 * Runs `work` as somebody for whom file permissions count: root becomes `nobody` meanwhile. What `work` loads has to be loaded before,
 * and its folders have to let others pass.
 */
export async function unprivileged<T>(work: () => T | Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}
