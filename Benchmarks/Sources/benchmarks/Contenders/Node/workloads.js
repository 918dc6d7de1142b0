// The workloads for Node's own Promise. Reads lines such as `W1 100000`, and answers each with nanoseconds
// (bytes for W7).
'use strict'

const deferred = () => Promise.withResolvers ? Promise.withResolvers() : (() => {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
})()

async function time(body) {
  const begin = process.hrtime.bigint()
  await body()
  return Number(process.hrtime.bigint() - begin)
}

const workloads = {
  W1: (count) => time(() => {
    let promise = Promise.resolve(0)
    for (let i = 0; i < count; i++) promise = promise.then((x) => x + 1)
    return promise
  }),
  W2: (count) => time(() => {
    const root = deferred()
    let promise = root.promise
    for (let i = 0; i < count; i++) promise = promise.then((x) => x + 1)
    root.resolve(0)
    return promise
  }),
  W3: (count) => time(() => {
    const root = deferred()
    let last
    for (let i = 0; i < count; i++) last = root.promise.then((x) => x + 1)
    root.resolve(0)
    return last
  }),
  // A later turn of the event loop resolves the inputs, because Node has no other thread.
  W4: (count) => time(() => {
    const inputs = []
    for (let i = 0; i < count; i++) inputs.push(deferred())
    const all = Promise.all(inputs.map((input) => input.promise)).then((values) => values.length)
    setImmediate(() => { for (const input of inputs) input.resolve(0) })
    return all
  }),
  W5: (count) => time(() => {
    let last
    for (let i = 0; i < count; i++) {
      const root = deferred()
      last = root.promise.then((x) => x + 1)
      root.resolve(0)
    }
    return last
  }),
  W5c: (count) => time(() => {
    let last, hits = 0
    for (let i = 0; i < count; i++) {
      const root = deferred()
      last = root.promise.then((x) => { hits++; return x + i })
      root.resolve(0)
    }
    return last
  }),
  W6: (count) => time(() => {
    const root = deferred()
    let promise = root.promise
    for (let i = 0; i < count; i++) promise = promise.then((x) => Promise.resolve(x + 1))
    root.resolve(0)
    return promise
  }),
  W7: async (count) => {
    const kept = new Array(count).fill(null)
    global.gc()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < count; i++) {
      kept[i] = deferred().promise
      kept[i].then((x) => x + 1)
    }
    global.gc()
    const after = process.memoryUsage().heapUsed
    return kept.length === count ? after - before : 0
  },
}

const lines = require('readline').createInterface({ input: process.stdin })
lines.on('line', async (line) => {
  const [name, count] = line.split(' ')
  const figure = await workloads[name](Number(count))
  process.stdout.write(`${figure}\n`)
})
