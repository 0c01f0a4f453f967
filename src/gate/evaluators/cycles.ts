/**
 * Cycles of a directed graph: one shortest cycle for every group of nodes that reach each other, and every self-edge (CONC-61). Each is
 * the list of its nodes with the first one repeated at the end. Linear in nodes and edges but for the shortest cycles, and without
 * recursion, since graphs of whole programs are deep.
 */
export function findCycles(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  const selfEdges = new Set<string>()
  const targetsOf = (node: string) => {
    const known = next.get(node) ?? []
    next.set(node, known)
    return known
  }
  for (const [from, to] of edges) {
    if (from === to) selfEdges.add(from)
    targetsOf(from).push(to)
    targetsOf(to)
  }
  const cycles: (readonly string[])[] = [...selfEdges].map((node) => [node, node])
  for (const group of stronglyConnected(next)) {
    const start = group[0]
    if (group.length > 1 && start !== undefined) cycles.push(shortestCycle(start, new Set(group), next))
  }
  return cycles
}

type Graph = ReadonlyMap<string, readonly string[]>

/** Tarjan's algorithm with a stack of its own. */
function stronglyConnected(next: Graph): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const groups: string[][] = []
  const enter = (node: string) => {
    order.set(node, order.size)
    low.set(node, order.size - 1)
    stack.push(node)
    onStack.add(node)
    return { node, at: 0 }
  }
  const lower = (node: string, value: number | undefined) => {
    low.set(node, Math.min(low.get(node) ?? 0, value ?? 0))
  }
  for (const root of next.keys()) {
    if (order.has(root)) continue
    const path = [enter(root)]
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const target = next.get(frame.node)?.[frame.at]
      frame.at += 1
      if (target !== undefined) {
        if (!order.has(target)) path.push(enter(target))
        else if (onStack.has(target)) lower(frame.node, order.get(target))
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) lower(parent.node, low.get(frame.node))
      if (low.get(frame.node) === order.get(frame.node)) groups.push(takeGroup(frame.node, stack, onStack))
    }
  }
  return groups
}

function takeGroup(root: string, stack: string[], onStack: Set<string>): string[] {
  const group: string[] = []
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    onStack.delete(node)
    group.push(node)
    if (node === root) break
  }
  return group.reverse()
}

/** Breadth first from `start` back to it, inside of its group, where a way back exists. */
function shortestCycle(start: string, group: ReadonlySet<string>, next: Graph): readonly string[] {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const node of queue) {
    for (const target of next.get(node) ?? []) {
      if (target === start && node !== start) return wayTo(node, start, cameFrom)
      if (target === start || !group.has(target) || cameFrom.has(target)) continue
      cameFrom.set(target, node)
      queue.push(target)
    }
  }
  return [start]
}

function wayTo(last: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [start]
  for (let node: string | undefined = last; node !== undefined && node !== start; node = cameFrom.get(node))
    path.push(node)
  path.push(start)
  return path.reverse()
}
