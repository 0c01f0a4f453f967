/** Signals every process of the group led by `leader`; false when there is none left (TOOL-014). */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  return send(leader, signal)
}

/** Whether any process of the group led by `leader` exists. */
export function isGroupAlive(leader: number): boolean {
  return send(leader, 0)
}

function send(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch {
    // ESRCH: nobody is left. EPERM: only foreign or dead processes are left, which come to the same for us.
    return false
  }
}
