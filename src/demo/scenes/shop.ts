import { cartWithTax, files, taxedTest } from '../sample-files.ts'
import { type Reply, resultOf, type Scene, whenSaid } from '../script.ts'

// The tour of the sample project: a model that reads before it writes, runs the test, sees it fail, and mends it.

const lookAround: Scene = {
  name: 'look-around',
  invite: 'what is this project?',
  play: whenSaid(/\bwhat(?:'s| is) (?:this|here)\b|\blook around\b/i, (conversation): Reply => {
    if (conversation.step === 0) {
      return {
        reasoning:
          'A question about the whole. The list of files and the readme will do; no need to read every source.',
        text: 'I will look at the files and the readme.',
        calls: [
          { tool: 'glob', args: { pattern: '**/*.js' } },
          { tool: 'read_file', args: { path: 'README.md' } }
        ]
      }
    }
    const found = resultOf(conversation, 'glob').trim()
    const title = /^# (.+)$/m.exec(resultOf(conversation, 'read_file'))?.[1]
    // `demo --serve` can be tried in any project.
    if (title === undefined) return { text: 'This is not the corner shop that I know; `ghyll demo` opens it.' }
    const sources = found.split('\n')
    return {
      text: `This is **${title}**, ${sources.length} JavaScript files:\n\n${sources.map((each) => `- \`${each}\``).join('\n')}\n\nThe cart adds up prices in cents; tax exists, but the cart does not use it yet. Ask me to *make the cart total include tax*.`
    }
  })
}

const addTax: Scene = {
  name: 'add-tax',
  invite: 'make the cart total include tax',
  play: whenSaid(/\binclude tax\b|\badd tax\b/i, (conversation): Reply => {
    const lastTest = resultOf(conversation, 'bash')
    switch (conversation.step) {
      case 0:
        return {
          reasoning: 'Before changing the total I need to see how it is computed, and what there is for tax.',
          text: 'I will read the cart and the tax rules first.',
          calls: [
            { tool: 'read_file', args: { path: 'src/cart.js' } },
            { tool: 'read_file', args: { path: 'src/tax.js' } }
          ]
        }
      case 1:
        if (conversation.exchanges.some((each) => each.result.includes('net + taxOn(net)'))) {
          return { text: 'The total includes tax already: `src/cart.js` adds `taxOn(net)`. Nothing to do.' }
        }
        return {
          text: 'Tax applies to the whole net sum, rounded once.',
          calls: [
            {
              tool: 'edit_file',
              args: { path: 'src/cart.js', old_string: files['src/cart.js'], new_string: cartWithTax }
            },
            { tool: 'bash', args: { command: 'node --test' } }
          ]
        }
      case 2:
        return {
          text: /\b610\b/.test(lastTest)
            ? 'As expected the old test fails: it still wants the net sum. I will bring it up to date and run it again.'
            : 'I will bring the test up to date and run it again.',
          calls: [
            {
              tool: 'edit_file',
              args: {
                path: 'test/cart.test.js',
                old_string: taxedTest.before,
                new_string: taxedTest.after
              }
            },
            { tool: 'bash', args: { command: 'node --test' } }
          ]
        }
      default:
        return { text: /\bfail 0\b/.test(lastTest) ? taxExplained : `The tests do not pass:\n\n${fenced(lastTest)}` }
    }
  })
}

const taxExplained = `Done, and the tests pass.

| | before | after |
|---|---:|---:|
| three apples, one bread | 6.10 | 7.32 |

- \`src/cart.js\`: the total is now net plus \`taxOn(net)\`, rounded once for the whole cart and not line by line.
- \`test/cart.test.js\`: expects the sum with tax.

\`\`\`js
return net + taxOn(net)
\`\`\`

Next you could ask for *a receipt*, or tell me to *commit this*.`

const receipt: Scene = {
  name: 'receipt',
  invite: 'print a receipt',
  play: whenSaid(/\breceipt\b/i, (conversation): Reply => {
    if (conversation.step === 0) {
      return { calls: [{ tool: 'bash', args: { command: 'node src/receipt.js | tee receipt.txt' } }] }
    }
    return { text: `Here it is, kept in \`receipt.txt\` too:\n\n${fenced(resultOf(conversation, 'bash'))}` }
  })
}

const commit: Scene = {
  name: 'commit',
  invite: 'commit this',
  play: whenSaid(/\bcommit\b/i, (conversation): Reply => {
    if (conversation.step === 0) {
      return {
        calls: [
          { tool: 'git', args: { args: 'add --all' } },
          { tool: 'git', args: { args: 'commit --message "Include tax in the cart total"' } }
        ]
      }
    }
    return { text: `Committed:\n\n${fenced(resultOf(conversation, 'git'))}` }
  })
}

/** Something that takes long, to interrupt or to steer. */
const waiting: Scene = {
  name: 'waiting',
  invite: 'wait for me (a command that runs until you press Esc)',
  play: whenSaid(/\bwait for me\b/i, (conversation): Reply => {
    if (conversation.step > 0) return { text: 'The wait is over.' }
    return {
      text: 'I will wait; press Esc when it gets too long.',
      calls: [{ tool: 'bash', args: { command: 'echo $$ > .git/waiting.pid; sleep 600; echo done waiting' } }]
    }
  })
}

const story: Scene = {
  name: 'story',
  invite: 'tell me a long story (type something while it runs and press Enter)',
  play: whenSaid(/\blong story\b/i, ({ step }): Reply => {
    if (step > 0) return { text: 'And that is where the story ends.' }
    return {
      text: 'Once there was a cart that knew only net prices. I will look where it came from.',
      calls: [{ tool: 'git', args: { args: 'log --oneline' } }],
      pace: 25
    }
  })
}

const shorter: Scene = {
  name: 'shorter',
  play: whenSaid(/\bmake it short\b/i, () => ({
    text: 'In short: it learnt about tax and lived correctly ever after.'
  }))
}

const delegate: Scene = {
  name: 'delegate',
  invite: 'delegate the counting (a sub-agent does it)',
  play: whenSaid(/\bdelegate\b/i, (conversation): Reply => {
    if (conversation.step === 0) return { calls: [{ tool: 'agent', args: { task: 'Count the source files.' } }] }
    return { text: `My helper reports: ${resultOf(conversation, 'agent')}` }
  })
}

const counting: Scene = {
  name: 'counting',
  play: whenSaid(/^count the source files/i, (conversation): Reply => {
    if (conversation.step === 0) return { calls: [{ tool: 'glob', args: { pattern: 'src/*.js' } }] }
    return { text: `There are ${resultOf(conversation, 'glob').trim().split('\n').length} source files.` }
  })
}

/** Scenes of work on the sample project. */
export const shopScenes: readonly Scene[] = [
  lookAround,
  addTax,
  receipt,
  commit,
  waiting,
  story,
  shorter,
  delegate,
  counting
]

function fenced(text: string): string {
  return `\`\`\`\n${text.trimEnd()}\n\`\`\``
}
